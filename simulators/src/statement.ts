import { printChains, type ChainProof } from './bank/chain-proof.ts';
import { NO_RAILS, printRails, type RailRun } from './rails/rail-run.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import type { ReceivedNotification } from './merchant/merchant-endpoint.ts';
import { NOT_RESENT, type Resent } from './monitor/phone.ts';
import { mustBeCredited, type OrderLife, type SentMessage } from './order-life.ts';
import {
  isPayoutMoneyExplained,
  isPayoutsExplained,
  makePayoutStatement,
  type PayoutStatement,
} from './payout/payout-statement.ts';
import type { BatchRun, PayoutLife } from './payout/payout-life.ts';
import { neverAcknowledges } from './plan.ts';
import type { ResidueLine } from './residue.ts';

/** Status of the merchant API. */
const SUCCESS = 1;
const TAKEN_BACK = 2;

export interface Statement {
  readonly created: number;
  readonly allocated: number;
  readonly paid: number;
  readonly credited: number;
  /** Of the credited orders: completed by the desk or a supplier with a UTR (supplemented), and reversed afterwards. */
  readonly supplemented: number;
  readonly reversed: number;
  /** Requests that a second person approved. */
  readonly approved: number;
  readonly notified: number;
  readonly acknowledged: number;
  /** Paise. */
  readonly paidSum: number;
  readonly creditedSum: number;
  /** The sum of the bank messages that completed orders, and of supplements. It must equal creditedSum. */
  readonly evidenceSum: number;
  /** The sum credited without money at the banks: supplements on false receipts, or by suppliers alone. */
  readonly beyondSum: number;
  readonly messageStates: Readonly<Record<string, number>>;
  /** States of messages about a movement already reported in another wording, and of messages that contradict a supplement. */
  readonly rewordedStates: Readonly<Record<string, number>>;
  readonly contradictingStates: Readonly<Record<string, number>>;
  readonly forgedStates: Readonly<Record<string, number>>;
  readonly noiseStates: Readonly<Record<string, number>>;
  readonly residue: readonly ResidueLine[];
  readonly payouts: PayoutStatement;
  readonly batches: BatchRun;
  /** Orders and payouts by USDT and M-Pesa. */
  readonly rails: RailRun;
  /** What the server's chains of the bank accounts know of the money that moved. */
  readonly chains: readonly ChainProof[];
  /** What the phones reported when the server asked for their inboxes again. */
  readonly resent: Resent;
}

/** The result of the run. Every order that did not go the whole way is in the residue, with the reason. */
export function makeStatement(
  orders: readonly OrderLife[],
  messages: readonly SentMessage[],
  notifications: readonly ReceivedNotification[],
  payouts: readonly PayoutLife[] = [],
  approved = 0,
  batches: BatchRun = { files: 0, retried: 0 },
  rails: RailRun = NO_RAILS,
  chains: readonly ChainProof[] = [],
  resent: Resent = NOT_RESENT,
): Statement {
  const notificationsOf = Map.groupBy(notifications, ({ mchOrderNo }) => mchOrderNo);
  const completing = completingMessages(messages);
  // Where messages are lost or forged, true ones after them wait for their chain or for an operator.
  const isHarmed = orders.some(({ plan }) => plan.desk === 'supplement' || plan.forged !== null);
  const held = new Map(
    messages.flatMap((message) =>
      isHarmed && message.kind !== 'forged' && message.order && WAITS.has(message.result?.state ?? '')
        ? [[message.order, message] as const]
        : [],
    ),
  );
  const beside = besideOthers(messages, orders);
  const credited = orders.filter(wasCredited);
  const supplemented = credited.filter(({ said }) => said !== null);
  const contradicting = new Map(
    messages.flatMap((message) =>
      message.kind === 'contradiction' && message.order ? [[message.order, message] as const] : [],
    ),
  );
  const numbers = new Set(orders.map(({ mchOrderNo }) => mchOrderNo));
  const real = notifications.filter(
    ({ signatureValid, mchOrderNo }) => signatureValid && numbers.has(mchOrderNo),
  );
  const acknowledged = new Set(real.filter((each) => each.acknowledged).map(({ mchOrderNo }) => mchOrderNo));
  return {
    created: orders.filter(({ created, refusal }) => created || refusal).length,
    allocated: orders.filter(({ created }) => created).length,
    paid: orders.filter(({ paid }) => paid !== null).length,
    credited: credited.length,
    supplemented: supplemented.length,
    reversed: credited.filter(({ queried }) => queried!.status === TAKEN_BACK).length,
    approved,
    notified: new Set(real.map(({ mchOrderNo }) => mchOrderNo)).size,
    acknowledged: acknowledged.size,
    paidSum: sum(orders.map(({ paid }) => paid ?? 0)),
    creditedSum: sum(credited.map(({ queried }) => queried!.realAmount ?? 0)),
    evidenceSum: sum([
      ...[...completing.values()].map(({ amount }) => amount ?? 0),
      ...supplemented.map(({ said }) => said ?? 0),
    ]),
    beyondSum: sum(supplemented.map(({ said, paid }) => said! - (paid ?? 0))),
    messageStates: statesOf(messages, 'first', 'sameId', 'secondTelling'),
    rewordedStates: statesOf(messages, 'reworded'),
    contradictingStates: statesOf(messages, 'contradiction'),
    forgedStates: statesOf(messages, 'forged'),
    noiseStates: statesOf(messages, 'noise'),
    residue: [
      ...orders.flatMap((order) =>
        residueOf(order, completing, notificationsOf.get(order.mchOrderNo) ?? [], {
          held: held.get(order),
          contradicting: contradicting.get(order),
          isBeside: beside.has(order),
        }),
      ),
      ...messages.flatMap(strayMessage),
    ],
    payouts: makePayoutStatement(payouts, messages, notifications),
    batches,
    rails,
    chains,
    resent,
  };
}

const WAITS: ReadonlySet<string> = new Set(['held', 'untrusted']);

/**
 * Orders whose message is ambiguous because another order has the same sum on the account: reported, supplemented or payable, or the amount
 * of a supplemented order, which its own message may still state.
 */
function besideOthers(
  messages: readonly SentMessage[],
  orders: readonly OrderLife[],
): ReadonlySet<OrderLife | null> {
  const sums = orders.flatMap((order) =>
    [
      order.said,
      order.created?.payParams.payableAmount,
      ...(order.said === null ? [] : [order.plan.amount]),
    ].map((amount) => ({
      order,
      account: order.account,
      amount,
    })),
  );
  const alike = Map.groupBy([...messages, ...sums], ({ account, amount }) => `${account}/${amount}`);
  return new Set(
    messages
      .filter(({ result }) => result?.state === 'ambiguous')
      .filter(({ account, amount, order }) =>
        alike.get(`${account}/${amount}`)!.some((other) => other.order !== order),
      )
      .map(({ order }) => order),
  );
}

function wasCredited({ queried }: OrderLife): boolean {
  return queried?.status === SUCCESS || queried?.status === TAKEN_BACK;
}

/** The message that completed each order, by order code. */
function completingMessages(messages: readonly SentMessage[]): Map<string, SentMessage> {
  return new Map(
    messages.flatMap((message) =>
      message.result?.state === 'matched' && message.result.orderCode
        ? [[message.result.orderCode, message]]
        : [],
    ),
  );
}

/** What else is known of an order: its held message, a message that contradicts it, and whether another one of the same sum exists. */
interface Circumstances {
  readonly held: SentMessage | undefined;
  readonly contradicting: SentMessage | undefined;
  readonly isBeside: boolean;
}

function residueOf(
  order: OrderLife,
  completing: ReadonlyMap<string, SentMessage>,
  notifications: readonly ReceivedNotification[],
  { held, contradicting, isBeside }: Circumstances,
): ResidueLine[] {
  const orderCode = order.created?.orderCode ?? order.mchOrderNo;
  const explained = (why: string): ResidueLine[] => [{ orderCode, why, explained: true }];
  const unexplained = (why: string): ResidueLine[] => [{ orderCode, why, explained: false }];
  if (order.error) return unexplained(order.error);
  if (!order.created) return unexplained(order.refusal ? `refused: ${order.refusal}` : 'never created');
  const { queried, plan } = order;
  if (!queried) return unexplained('the query knows no such order');
  if (wasCredited(order)) {
    if (!mustBeCredited(order))
      return unexplained('credited although its payer sent nothing that could pay it');
    const owed = order.said ?? order.paid;
    if (queried.realAmount !== owed)
      return unexplained(
        `credited ${queried.realAmount}, but ${owed} was ${order.said === null ? 'paid' : 'supplemented'}`,
      );
    const takenBack = plan.desk === 'reverse';
    if (takenBack !== (queried.status === TAKEN_BACK))
      return unexplained(takenBack ? 'was to be taken back, and is not' : 'taken back by nobody');
    const message = completing.get(orderCode);
    if (!message && order.said === null)
      return unexplained('credited, but no bank message says it completed it');
    if (message && message.order !== order)
      return unexplained(`credited by the money of ${message.order?.created?.orderCode ?? 'nobody'}`);
    return [
      ...residueOfWord(order, contradicting, explained, unexplained),
      ...residueOfCallback(order, notifications, explained, unexplained),
    ];
  }
  if (notifications.some(({ fields }) => fields['status'] === '1'))
    return unexplained('told as paid, but not credited');
  if (plan.payer.pays === 'never') return explained('not paid, on purpose');
  if (plan.payer.pays === 'wrong') {
    const [paid, payable] = [order.paid ?? 0, order.created.payParams.payableAmount];
    return explained(`paid ${rupees(paid)} instead of ${rupees(payable)}, on purpose`);
  }
  if (held)
    return explained(
      `paid ${rupees(order.paid ?? 0)}; its message is ${held.result!.state}, among lost and forged ones`,
    );
  if (isBeside)
    return explained(
      `paid ${rupees(order.paid ?? 0)}; its message is ambiguous beside another of that sum on its account`,
    );
  return unexplained(
    order.paid === null ? 'the payer never got to pay' : `paid ${rupees(order.paid)}, not credited`,
  );
}

/** Orders credited on somebody's claim that the bank did not confirm, or that it contradicts. */
function residueOfWord(
  { said, paid, plan }: OrderLife,
  contradicting: SentMessage | undefined,
  explained: (why: string) => ResidueLine[],
  unexplained: (why: string) => ResidueLine[],
): ResidueLine[] {
  if (said === null || plan.desk === 'supplement') return [];
  if (plan.colludes !== null)
    return explained(`no money came; its supplier supplemented ${rupees(said)} out of its own deposit`);
  const came = `supplemented ${rupees(said)}, but ${rupees(paid ?? 0)} came${plan.desk === 'otherAccount' ? ' on another account' : ''}`;
  const state = contradicting?.result?.state;
  return state === 'ambiguous'
    ? explained(`${came}; the bank's message contradicts it and waits for a person`)
    : unexplained(`${came}; the bank's message is ${state ?? 'not told'}`);
}

function residueOfCallback(
  order: OrderLife,
  notifications: readonly ReceivedNotification[],
  explained: (why: string) => ResidueLine[],
  unexplained: (why: string) => ResidueLine[],
): ResidueLine[] {
  const forged = notifications.find(({ signatureValid }) => !signatureValid);
  if (forged) return unexplained('notified with a wrong signature');
  const takenBack = order.queried?.status === TAKEN_BACK;
  const wrong = notifications.find(
    ({ fields }) =>
      fields['realAmount'] !== String(order.said ?? order.paid) ||
      !(fields['status'] === '1' || (takenBack && fields['status'] === '2')),
  );
  if (wrong)
    return unexplained(
      `notified with realAmount ${wrong.fields['realAmount']}, status ${wrong.fields['status']}`,
    );
  if (notifications.length === 0) return unexplained('credited, but its merchant was never notified');
  const last = takenBack ? '2' : '1';
  if (notifications.some(({ acknowledged, fields }) => acknowledged && fields['status'] === last)) return [];
  return neverAcknowledges(order.plan)
    ? explained(
        `credited and notified ${notifications.length} times; the merchant never acknowledges, on purpose`,
      )
    : unexplained(`notified ${notifications.length} times, but the merchant's success came too late`);
}

/** Noise that was booked, or a movement that the server could not parse or place. */
function strayMessage({ kind, result, messageId, text }: SentMessage): ResidueLine[] {
  const line = (why: string): ResidueLine[] => [
    { orderCode: messageId, why: `${why}: ${text}`, explained: false },
  ];
  if (!result) return line('message never answered');
  // Debits are judged with the payouts.
  if (kind === 'debit') return [];
  if (kind === 'forged')
    return result.state === 'matched' ? line(`a forged message completed order ${result.orderCode}`) : [];
  if (kind === 'noise')
    return result.state === 'matched' ? line(`noise completed order ${result.orderCode}`) : [];
  return result.state === 'unparsed' || result.state === 'ignored' || result.state === 'discarded'
    ? line(`a credit was ${result.state}`)
    : [];
}

function statesOf(
  messages: readonly SentMessage[],
  ...kinds: readonly SentMessage['kind'][]
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of messages.filter(({ kind }) => kinds.includes(kind))) {
    const state = result?.state ?? 'unanswered';
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function rupees(paise: number): string {
  return `₹${formatMinor(paise, 'INR')}`;
}

export function isExplained(statement: Statement): boolean {
  return (
    statement.residue.every(({ explained }) => explained) &&
    statement.creditedSum === statement.evidenceSum &&
    statement.rails.problems.length === 0 &&
    statement.chains.every(({ wrong }) => wrong.length === 0) &&
    isPayoutsExplained(statement.payouts)
  );
}

export function printStatement(statement: Statement): string {
  const line = (name: string, count: number, rest = '') =>
    `  ${name.padEnd(16)}${String(count).padStart(6)}${rest}`;
  const states = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([state, count]) => `${count} ${state}`)
      .join(', ') || 'none';
  const { payouts } = statement;
  const residue = [...statement.residue, ...payouts.residue];
  const unexplained = residue.filter(({ explained }) => !explained).length;
  const agrees = statement.creditedSum === statement.evidenceSum;
  const payoutsAgree = isPayoutMoneyExplained(payouts);
  return [
    line('created', statement.created),
    line('allocated', statement.allocated),
    line('paid by payers', statement.paid, `  ${rupees(statement.paidSum)}`),
    line('credited', statement.credited, `  ${rupees(statement.creditedSum)}`),
    line('supplemented', statement.supplemented),
    line('reversed', statement.reversed),
    line('approved', statement.approved),
    line('notified', statement.notified),
    line('acknowledged', statement.acknowledged),
    `  bank messages    ${states(statement.messageStates)}; noise: ${states(statement.noiseStates)}; forged: ${states(statement.forgedStates)}`,
    `                   reworded: ${states(statement.rewordedStates)}; contradicting: ${states(statement.contradictingStates)}`,
    printResent(statement.resent),
    agrees
      ? `  money            credited equals the messages and supplements that completed orders`
      : `  money            UNEXPLAINED: credited ${rupees(statement.creditedSum)}, evidence ${rupees(statement.evidenceSum)}`,
    `                   ${rupees(statement.beyondSum)} of it beyond the banks' books, each order named below`,
    ...(payouts.created === 0
      ? []
      : [
          '',
          line('payouts', payouts.created),
          line('paid out', payouts.paid, `  ${rupees(payouts.paidSum)}`),
          line('proven', payouts.proven),
          line('by the gateway', payouts.byGateway),
          line(
            'by batch',
            payouts.byBatch,
            `  in ${statement.batches.files} files, ${statement.batches.retried} tried again`,
          ),
          line('refunded', payouts.refunded),
          line('taken back', payouts.takenBack),
          line('notified', payouts.notified),
          line('invented', payouts.invented, `  ${rupees(payouts.inventedSum)}`),
          payoutsAgree
            ? `  money            paid out equals what the suppliers' banks and the gateway moved, and what suppliers invented`
            : `  money            UNEXPLAINED: paid out ${rupees(payouts.paidSum)}, moved ${rupees(payouts.movedSum)}, invented ${rupees(payouts.inventedSum)}`,
        ]),
    ...printRails(statement.rails),
    ...printChains(statement.chains),
    '',
    `Residue: ${residue.length} lines, ${unexplained} unexplained`,
    ...residue.map(
      ({ orderCode, why, explained }) => `  ${orderCode}  ${explained ? '' : 'UNEXPLAINED: '}${why}`,
    ),
  ].join('\n');
}

function printResent({ asked, told, found, states }: Resent): string {
  const ends = [...Map.groupBy(states, (state) => state)].map(([state, { length }]) => `${length} ${state}`);
  return `  inboxes asked    ${asked} times: ${told} told again, ${found} for the first time${ends.length > 0 ? ` (${ends.join(', ')})` : ''}`;
}
