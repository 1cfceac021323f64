import { CODES } from '@sangam/contract/codes.ts';
import type { Endpoint, Envelope } from '@sangam/contract/endpoint.ts';
import { heartbeat, report, type PayParams } from '@sangam/contract/endpoints/outside.ts';
import { signMonitorCall } from '@sangam/contract/signature.ts';
import { simulatedBanks } from '@sangam/simulators/bank/sms-shape.ts';
import { writeSms } from '@sangam/simulators/bank/write-sms.ts';
import type { InputOf, OutputOf } from './call-types.ts';
import { demo, isLiving, serverUrl, type DemoMonitor, type DemoResource } from './demo.ts';

const BEAT_MS = 20_000;
const SHAPES = 12;

let made = 0;

/** Grows from call to call and from worker to worker: the server refuses a sequence number it has seen. */
const nextSequence = () => `${Date.now()}${String((made += 1)).padStart(5, '0')}`;

async function callFrom<Called extends Endpoint>(
  monitor: DemoMonitor,
  endpoint: Called,
  input: InputOf<Called>,
): Promise<OutputOf<Called>> {
  const body = JSON.stringify(input);
  const timestamp = String(Date.now());
  const sequence = nextSequence();
  const response = await fetch(`${serverUrl}${endpoint.path}`, {
    method: endpoint.method,
    headers: {
      'content-type': 'application/json',
      'x-monitor-id': monitor.monitorId,
      'x-monitor-timestamp': timestamp,
      'x-monitor-sequence': sequence,
      'x-monitor-signature': signMonitorCall(monitor.secret, timestamp, sequence, body),
    },
    body,
  });
  const answer = (await response.json()) as Envelope<OutputOf<Called>>;
  if (answer.code !== CODES.ok.code) throw new Error(`${endpoint.path}: ${answer.code} ${answer.msg}`);
  return answer.data as OutputOf<Called>;
}

/** A message arrives at the first monitor's phone; returns its state. */
export async function phoneReports(sender: string, text: string): Promise<string | undefined> {
  const messageId = `e2e-${newReference()}`;
  const { results } = await callFrom(demo().monitors[0]!, report, {
    messages: [{ messageId, kind: 'sms', sender, text, receivedAt: Date.now() }],
  });
  return results[0]?.state;
}

let beatenAt = 0;

/**
 * Sends a heartbeat of every monitor, because an account with a silent monitor takes no orders. With the outside world, the phones
 * do it themselves.
 */
export async function beatAll(): Promise<void> {
  if (isLiving() || Date.now() - beatenAt < BEAT_MS) return;
  await Promise.all(
    demo().monitors.map((monitor) => callFrom(monitor, heartbeat, { scriptVersion: '1.4.0', battery: 80 })),
  );
  beatenAt = Date.now();
}

function receiverOf(payParams: PayParams): { readonly monitor: DemoMonitor; readonly account: DemoResource } {
  for (const monitor of demo().monitors) {
    const account = monitor.accounts.find(
      ({ vpa, accountTail }) =>
        vpa === payParams.vpa || (payParams.accountNumber?.endsWith(accountTail) ?? false),
    );
    if (account) return { monitor, account };
  }
  throw new Error(`no demo account takes ${JSON.stringify(payParams)}`);
}

/** A new reference of twelve digits, as UPI uses. */
export function newReference(): string {
  made += 1;
  return `6${String(Date.now()).slice(-8)}${String(made).padStart(3, '0').slice(-3)}`;
}

interface Told {
  readonly reference?: string;
  /** Minor units; by default the payable amount. */
  readonly amount?: number;
  /** The expected state of the message. */
  readonly state?: string;
}

/** Reports messages of a bank account with its balance; some of the bank's messages may be lost. */
export interface StatedAccount {
  readonly bank: string;
  readonly accountTail: string;
  /** Reports a credit, with the balance after it (minor units); returns the state of the message. */
  tells(amount: number, balance: number): Promise<string | undefined>;
}

/** The account that a payer was shown; undefined where its bank's messages state no balance. */
export function statedAccountOf(payParams: PayParams): StatedAccount | undefined {
  const { monitor, account } = receiverOf(payParams);
  const bank = simulatedBanks.find((known) => known === account.bank);
  if (!bank) return undefined;
  const wordings = (amount: number, balance: number) =>
    Array.from({ length: SHAPES }, (_, variant) =>
      writeSms({
        bank,
        direction: 'credit',
        amountMinor: BigInt(amount),
        accountTail: account.accountTail,
        balanceMinor: BigInt(balance),
        ref: newReference(),
        payerName: 'Ananya Rao',
        at: new Date(),
        variant,
      }),
    );
  const variant = wordings(1_00, 77_777_77).findIndex(({ text }) =>
    text.replaceAll(',', '').includes('77777.77'),
  );
  if (variant === -1) return undefined;
  return {
    bank,
    accountTail: account.accountTail,
    async tells(amount, balance) {
      const { sender, text } = wordings(amount, balance)[variant]!;
      const { results } = await callFrom(monitor, report, {
        messages: [{ messageId: `e2e-${newReference()}`, kind: 'sms', sender, text, receivedAt: Date.now() }],
      });
      return results[0]?.state;
    },
  };
}

/** The payer has paid: the bank's message reaches the monitor's phone, which reports it. */
export async function bankReports(payParams: PayParams, told: Told = {}): Promise<string> {
  const { reference = newReference(), amount = payParams.payableAmount, state = 'matched' } = told;
  const { monitor, account } = receiverOf(payParams);
  const bank = simulatedBanks.find((known) => known === account.bank);
  if (!bank) throw new Error(`nobody writes messages of ${account.bank}`);
  const wordings = Array.from({ length: SHAPES }, (_, variant) =>
    writeSms({
      bank,
      direction: 'credit',
      amountMinor: BigInt(amount),
      accountTail: account.accountTail,
      balanceMinor: 8_412_900n,
      ref: reference,
      payerName: 'Ananya Rao',
      payerVpa: 'ananya.rao@okicici',
      at: new Date(),
      variant,
    }),
  );
  // Some banks omit the reference in some wordings.
  const { sender, text } = wordings.find((sms) => sms.text.includes(reference)) ?? wordings[0]!;
  const { results } = await callFrom(monitor, report, {
    messages: [{ messageId: `e2e-${reference}`, kind: 'sms', sender, text, receivedAt: Date.now() }],
  });
  if (results[0]?.state !== state) throw new Error(`not ${state}: ${JSON.stringify(results)} ${text}`);
  return text;
}
