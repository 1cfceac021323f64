import { signMonitorCall } from '@sangam/contract/signature.ts';
import { createPatientCaller, type Answer, type CallerStatistics } from '../patient-caller.ts';

export interface MonitorClientOptions {
  /** One or several nodes. */
  readonly url: string | readonly string[];
  readonly monitorId: string;
  readonly secret: string;
  readonly statistics?: CallerStatistics;
}

export interface SmsReport {
  /** The device's own id of the message. Reported again with the same id, it is the same message. */
  readonly messageId: string;
  readonly sender: string;
  readonly text: string;
  readonly receivedAt: Date;
}

export interface ReportResult {
  readonly messageId: string;
  readonly state: string;
  readonly orderCode?: string;
}

export type MonitorCommand =
  /** Milliseconds since 1970, both ends included. */
  | { readonly id: string; readonly kind: 'resend'; readonly from: number; readonly to: number }
  | { readonly id: string; readonly kind: 'refreshScript' };

export interface MonitorClient {
  heartbeat(scriptVersion?: string): Promise<void>;
  /** What the server asks the device to do. */
  commands(): Promise<readonly MonitorCommand[]>;
  /** The live script; null while there is none. */
  script(): Promise<{ readonly version: string | null; readonly body: string | null }>;
  /** Reports up to 500 messages. Resolves when the server has accepted them. */
  report(messages: readonly SmsReport[]): Promise<ReportResult[]>;
}

const SEQUENCE_REPEATED = 409;

/**
 * A device that reports a bank's messages. The calls of one monitor run one after the other, because the server accepts only rising
 * sequence numbers; each try takes a new one. Numbers start from the clock, so those of a later run are higher.
 */
export function createMonitorClient(options: MonitorClientOptions): MonitorClient {
  const urls = typeof options.url === 'string' ? [options.url] : options.url;
  const caller = createPatientCaller(urls, options.statistics);
  let sequence = BigInt(Date.now());
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  /** A call with `input` is a POST; a call without is a GET with an empty body. */
  async function send(path: string, input?: object): Promise<Answer> {
    const body = input === undefined ? '' : JSON.stringify(input);
    const repeated = (answer: Answer): boolean => {
      if (answer.code !== SEQUENCE_REPEATED) return false;
      const known = answer.data['lastSequence'];
      if (typeof known === 'string' && BigInt(known) > sequence) sequence = BigInt(known);
      return true;
    };
    const answer = await caller.call(() => {
      sequence += 1n;
      const timestamp = String(Date.now());
      return {
        path,
        ...(input === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body }),
        headers: {
          'content-type': 'application/json',
          'x-monitor-id': options.monitorId,
          'x-monitor-timestamp': timestamp,
          'x-monitor-sequence': String(sequence),
          'x-monitor-signature': signMonitorCall(options.secret, timestamp, String(sequence), body),
        },
      };
    }, repeated);
    if (answer.code !== 200)
      throw new Error(`${path} of monitor ${options.monitorId}: ${answer.code} ${answer.msg}`);
    return answer;
  }

  return {
    commands: () =>
      inTurn(async () => (await send('/v1.0/monitor/commands')).data['commands'] as MonitorCommand[]),
    script: () =>
      inTurn(
        async () =>
          (await send('/v1.0/monitor/script')).data as { version: string | null; body: string | null },
      ),
    heartbeat: (scriptVersion = 'simulator') =>
      inTurn(() => send('/v1.0/monitor/heartbeat', { scriptVersion, battery: 80 })).then(() => undefined),
    report: (messages) =>
      inTurn(async () => {
        const told = messages.map(({ receivedAt, ...message }) => ({
          ...message,
          kind: 'sms',
          receivedAt: receivedAt.getTime(),
        }));
        const answer = await send('/v1.0/monitor/report', { messages: told });
        return answer.data['results'] as ReportResult[];
      }),
  };
}
