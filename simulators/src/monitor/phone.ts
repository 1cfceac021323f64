import type { MonitorClient, ReportResult, SmsReport } from './monitor-client.ts';

const HEARTBEAT_MS = 20_000;
/** What arrives within this time is reported in one call. */
const GATHER_MS = 120;
const MAX_BATCH = 100;

export interface Phone {
  /** Reports the message soon; resolves with what became of it. */
  receive(message: SmsReport): Promise<ReportResult>;
  stop(): void;
}

/** A phone with the monitor program: keeps alive, gathers what the bank texts and reports it. */
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

  await client.heartbeat();
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
    receive(message) {
      return new Promise((resolve, reject) => {
        waiting.push({ message, resolve, reject });
        timer ??= setTimeout(flush, GATHER_MS);
      });
    },
    stop() {
      clearInterval(heart);
      clearTimeout(timer);
      waiting = [];
    },
  };
}
