import type { ReceivedNotification } from '../merchant/merchant-endpoint.ts';
import type { SentMessage } from '../order-life.ts';
import type { ResidueLine } from '../residue.ts';
import { mustBePaid, type PayoutLife } from './payout-life.ts';

/** Status of the merchant API. */
const SUCCESS = 1;
const FAILED = 2;

export interface PayoutStatement {
  readonly created: number;
  readonly paid: number;
  /** Borne out by a debit message of the bank, or by the desk's word. */
  readonly proven: number;
  readonly refunded: number;
  readonly notified: number;
  /** Paise that suppliers' banks moved to payees. */
  readonly movedSum: number;
  /** Paise of the payouts that the merchants see as paid: must equal movedSum. */
  readonly paidSum: number;
  readonly residue: readonly ResidueLine[];
}

/** What became of the run's payouts: each one that did not go as planned stands in the residue. */
export function makePayoutStatement(
  payouts: readonly PayoutLife[],
  messages: readonly SentMessage[],
  notifications: readonly ReceivedNotification[],
): PayoutStatement {
  const notificationsOf = Map.groupBy(notifications, ({ mchOrderNo }) => mchOrderNo);
  const told = (payout: PayoutLife) => notificationsOf.get(payout.mchOrderNo) ?? [];
  const paid = payouts.filter(({ queried }) => queried?.status === SUCCESS);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  return {
    created: payouts.filter(({ orderCode }) => orderCode !== null).length,
    paid: paid.length,
    proven: payouts.filter(({ row }) => row?.orderStatusId === 3 && !row.unproven).length,
    refunded: payouts.filter(({ queried }) => queried?.status === FAILED).length,
    notified: payouts.filter((payout) => told(payout).some(({ acknowledged }) => acknowledged)).length,
    movedSum: sum(payouts.map((payout) => payout.paid?.amount ?? 0)),
    paidSum: sum(paid.map(({ queried }) => queried!.realAmount ?? 0)),
    residue: [
      ...payouts.flatMap((payout) => {
        const why = problemOf(payout, told(payout));
        return why === undefined
          ? []
          : [{ orderCode: payout.orderCode ?? payout.mchOrderNo, why, explained: false }];
      }),
      ...messages.flatMap(({ kind, result, messageId, text }) =>
        kind === 'debit' && result?.state !== 'ignored'
          ? [
              {
                orderCode: messageId,
                why: `a debit was ${result?.state ?? 'never answered'}: ${text}`,
                explained: false,
              },
            ]
          : [],
      ),
    ],
  };
}

function problemOf(payout: PayoutLife, notifications: readonly ReceivedNotification[]): string | undefined {
  const { queried, paid, plan } = payout;
  if (payout.error !== null) return payout.error;
  if (payout.orderCode === null) return `payout refused: ${payout.refusal ?? 'never made'}`;
  if (!queried) return 'the query knows no such payout';
  if (payout.claimsWon !== null && payout.claimsWon !== 1)
    return `${payout.claimsWon} suppliers hold one payout`;
  const status = mustBePaid(payout) ? SUCCESS : FAILED;
  if (queried.status !== status) return `payout ${plan.course} stands at ${queried.status} for its merchant`;
  if (status === SUCCESS && (queried.realAmount !== paid?.amount || queried.utr !== paid.utr))
    return `paid ${paid?.amount} by ${paid?.utr}, but the merchant is told ${queried.realAmount} by ${queried.utr}`;
  if (status === SUCCESS && payout.row?.unproven !== false) return 'still unproven';
  if (notifications.some(({ signatureValid }) => !signatureValid)) return 'notified with a wrong signature';
  const wrong = notifications.find(({ fields }) => fields['status'] !== String(status));
  if (wrong) return `notified with status ${wrong.fields['status']}`;
  return notifications.some(({ acknowledged }) => acknowledged)
    ? undefined
    : 'ended, but its merchant was never notified';
}

export function isPayoutsExplained(statement: PayoutStatement): boolean {
  return statement.residue.length === 0 && statement.movedSum === statement.paidSum;
}
