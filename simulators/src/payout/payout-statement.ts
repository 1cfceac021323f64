import type { ReceivedNotification } from '../merchant/merchant-endpoint.ts';
import type { SentMessage } from '../order-life.ts';
import type { ResidueLine } from '../residue.ts';
import { isBatched, isTakenBack, mustBePaid, type PayoutLife, staysOpen } from './payout-life.ts';

/** Status of the merchant API. */
const SUCCESS = 1;
const FAILED = 2;
const WAITING = 0;

export interface PayoutStatement {
  readonly created: number;
  readonly paid: number;
  /** Proven by a debit message of the bank, or accepted by the desk. */
  readonly proven: number;
  readonly refunded: number;
  /** Paid through the gateway, paid by bulk files, and reversed after payment. */
  readonly byGateway: number;
  readonly byBatch: number;
  readonly takenBack: number;
  readonly notified: number;
  /** Paise that suppliers' banks and the gateway moved to payees and that were not reversed. */
  readonly movedSum: number;
  /** Payouts that a supplier only claims to have paid, and that were not reversed. */
  readonly invented: number;
  readonly inventedSum: number;
  /** Paise of the payouts that merchants see as paid. It must equal movedSum plus inventedSum. */
  readonly paidSum: number;
  readonly residue: readonly ResidueLine[];
}

/** The results of the run's payouts. Each payout that did not go as planned is in the residue. */
export function makePayoutStatement(
  payouts: readonly PayoutLife[],
  messages: readonly SentMessage[],
  notifications: readonly ReceivedNotification[],
): PayoutStatement {
  const notificationsOf = Map.groupBy(notifications, ({ mchOrderNo }) => mchOrderNo);
  const told = (payout: PayoutLife) => notificationsOf.get(payout.mchOrderNo) ?? [];
  const paid = payouts.filter(({ queried }) => queried?.status === SUCCESS);
  const paidBy = (course: PayoutLife['plan']['course']) =>
    payouts.filter(({ plan, paid: moved }) => plan.course === course && moved !== null).length;
  const invented = paid.filter((payout) => payout.invented !== undefined);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  return {
    created: payouts.filter(({ orderCode }) => orderCode !== null).length,
    paid: paid.length,
    proven: payouts.filter(({ row }) => row?.orderStatusId === 3 && !row.unproven).length,
    refunded: payouts.filter(({ queried, row }) => queried?.status === FAILED && !row?.reversed).length,
    notified: payouts.filter((payout) => told(payout).some(({ acknowledged }) => acknowledged)).length,
    byGateway: paidBy('gateway'),
    byBatch: paidBy('batch'),
    takenBack: payouts.filter(({ row }) => row?.reversed).length,
    movedSum: sum(payouts.map((payout) => (isTakenBack(payout) ? 0 : (payout.paid?.amount ?? 0)))),
    invented: invented.length,
    inventedSum: sum(invented.map(({ plan }) => plan.amount)),
    paidSum: sum(paid.map(({ queried }) => queried!.realAmount ?? 0)),
    residue: [
      ...payouts.flatMap((payout) => {
        const why = problemOf(payout, told(payout));
        return why === undefined
          ? []
          : [
              {
                orderCode: payout.orderCode ?? payout.mchOrderNo,
                why,
                explained: EXPLAINED.has(why),
              },
            ];
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

const STUCK = 'under way at a gateway that says no more, on purpose';
const ACCEPTED = 'its debit stands beside a gap of its account; the desk accepted it';
const FILED = 'paid by a file, which is the word of who brought it; its bank tells of no debit';
const INVENTED = 'its supplier says that it paid; no bank moved anything, and it stays unproven';
const EXPLAINED: ReadonlySet<string> = new Set([STUCK, ACCEPTED, FILED, INVENTED]);

function problemOf(payout: PayoutLife, notifications: readonly ReceivedNotification[]): string | undefined {
  const { queried, paid, plan } = payout;
  if (payout.error !== null) return payout.error;
  if (payout.orderCode === null) return `payout refused: ${payout.refusal ?? 'never made'}`;
  if (!queried) return 'the query knows no such payout';
  if (payout.claimsWon !== null && payout.claimsWon !== 1)
    return `${payout.claimsWon} suppliers hold one payout`;
  if (staysOpen(payout) && queried.status === WAITING && notifications.length === 0) return STUCK;
  const takenBack = isTakenBack(payout);
  if (takenBack && !payout.row?.reversed) return 'was to be taken back, and is not';
  const status = mustBePaid(payout) && !takenBack ? SUCCESS : FAILED;
  if (queried.status !== status) return `payout ${plan.course} stands at ${queried.status} for its merchant`;
  const said = payout.invented === undefined ? paid : { amount: plan.amount, utr: payout.invented };
  if (status === SUCCESS && (queried.realAmount !== said?.amount || queried.utr !== said.utr))
    return `paid ${said?.amount} by ${said?.utr}, but the merchant is told ${queried.realAmount} by ${queried.utr}`;
  const isUnproven = payout.row?.unproven !== false;
  const isInvented = payout.invented !== undefined;
  if (status === SUCCESS && isInvented && !isUnproven) return 'proven, though no bank moved anything';
  const isFiled = isBatched(payout) && payout.row?.unproven === true;
  if (status === SUCCESS && isUnproven && !isFiled && !isInvented) return 'still unproven';
  if (notifications.some(({ signatureValid }) => !signatureValid)) return 'notified with a wrong signature';
  const wrong = notifications.find(
    ({ fields }) =>
      fields['status'] !== String(status) && !(takenBack && fields['status'] === String(SUCCESS)),
  );
  if (wrong) return `notified with status ${wrong.fields['status']}`;
  const isRegistered = notifications.some(
    ({ acknowledged, fields }) => acknowledged && fields['status'] === String(status),
  );
  if (!isRegistered) return 'ended, but its merchant was never notified';
  if (isFiled && status === SUCCESS) return FILED;
  if (isInvented && status === SUCCESS) return INVENTED;
  return payout.isAccepted ? ACCEPTED : undefined;
}

export function isPayoutsExplained(statement: PayoutStatement): boolean {
  return statement.residue.every(({ explained }) => explained) && isPayoutMoneyExplained(statement);
}

export const isPayoutMoneyExplained = ({ movedSum, inventedSum, paidSum }: PayoutStatement): boolean =>
  movedSum + inventedSum === paidSum;
