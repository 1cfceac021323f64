import type { MonitorClient, ReportResult, SmsReport } from './monitor-client.ts';

const HEARTBEAT_MS = 20_000;
const COMMANDS_EVERY_MS = 10_000;
/** Messages that arrive within this time are reported in one call. */
const GATHER_MS = 120;
const MAX_BATCH = 100;

export interface Phone {
  /** Reports the message soon; resolves with its result. */
  receive(message: SmsReport): Promise<ReportResult>;
  /** Keeps the message in the inbox and does not report it until the server asks for the inbox again. */
  swallow(message: SmsReport, reported: () => void): void;
  /** What the phone did when the server asked for its inbox again. */
  readonly resent: Resent;
  stop(): void;
}

export interface Resent {
  /** How often the server asked. */
  asked: number;
  /** How many messages were reported again, and how many of them had not been reported before. */
  told: number;
  found: number;
  /** The states that the server gave to the latter. */
  readonly states: string[];
}

export const NOT_RESENT: Readonly<Resent> = { asked: 0, told: 0, found: 0, states: [] };

/** A phone with the monitor program: it sends heartbeats, collects the bank's texts and reports them. */
export async function startPhone(
  client: MonitorClient,
  shuffle: <T>(items: readonly T[]) => T[],
  onError: (error: unknown) => void,
): Promise<Phone> {
  let waiting: {
    message: SmsReport;
    resolve: (result: ReportResult) => void;
    reject: (error: unknown) => void;
  }[] = [];
  let timer: NodeJS.Timeout | undefined;

  const inbox: SmsReport[] = [];
  const swallowed = new Map<string, () => void>();
  const resent: Resent = { ...NOT_RESENT, states: [] };
  const obeyed = new Set<string>();

  /** Reports a span of the inbox again, as the reference program does (program.ts). */
  async function obey(): Promise<void> {
    for (const command of await client.commands()) {
      if (obeyed.has(command.id)) continue;
      obeyed.add(command.id);
      if (command.kind === 'resend') await resend(command.from, command.to);
    }
  }

  async function resend(from: number, to: number): Promise<void> {
    resent.asked += 1;
    const span = inbox.filter(({ receivedAt }) => receivedAt.getTime() >= from && receivedAt.getTime() <= to);
    for (let at = 0; at < span.length; at += MAX_BATCH) {
      const batch = span.slice(at, at + MAX_BATCH);
      const found = batch.filter(({ messageId }) => swallowed.has(messageId));
      for (const { messageId } of found) swallowed.get(messageId)!();
      const results = await client.report(batch);
      resent.told += batch.length;
      resent.found += found.length;
      for (const { messageId } of found) {
        swallowed.delete(messageId);
        resent.states.push(results.find((result) => result.messageId === messageId)?.state ?? 'unanswered');
      }
    }
  }

  await client.heartbeat();
  const commands = setInterval(() => void obey().catch(onError), COMMANDS_EVERY_MS);
  const heart = setInterval(() => void client.heartbeat().catch(onError), HEARTBEAT_MS);

  function flush(): void {
    timer = undefined;
    const batch = shuffle(waiting.splice(0, MAX_BATCH));
    if (waiting.length > 0) timer = setTimeout(flush, 0);
    client.report(batch.map(({ message }) => message)).then(
      (results) => {
        batch.forEach(({ message, resolve, reject }, index) => {
          const result = results[index];
          if (result?.messageId === message.messageId) resolve(result);
          else reject(new Error(`message ${message.messageId} was not answered in its place`));
        });
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
  }

  return {
    resent,
    swallow(message, reported) {
      inbox.push(message);
      swallowed.set(message.messageId, reported);
    },
    receive(message) {
      inbox.push(message);
      return new Promise((resolve, reject) => {
        waiting.push({ message, resolve, reject });
        timer ??= setTimeout(flush, GATHER_MS);
      });
    },
    stop() {
      clearInterval(heart);
      clearInterval(commands);
      clearTimeout(timer);
      waiting = [];
    },
  };
}
