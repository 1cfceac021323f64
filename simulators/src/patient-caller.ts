import { setTimeout as sleep } from 'node:timers/promises';
import { loopbackUrl } from './loopback.ts';

const ATTEMPT_TIMEOUT_MS = 15_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3_000;
const PATIENCE_MS = 180_000;

export interface Answer {
  readonly http: number;
  readonly code: number;
  readonly msg: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Attempt {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface PatientCaller {
  /**
   * Calls until there is an answer. A server that is down, restarting or overloaded (5xx, 429) is called again, on the next node if
   * there are several. Each try is a fresh attempt, because a signature, nonce or sequence number may be used once.
   */
  call(makeAttempt: () => Attempt, again?: (answer: Answer) => boolean): Promise<Answer>;
}

export interface CallerStatistics {
  calls: number;
  retries: number;
}

export function createPatientCaller(
  urls: readonly string[],
  statistics: CallerStatistics = { calls: 0, retries: 0 },
  patienceMs: number = PATIENCE_MS,
): PatientCaller {
  const nodes = urls.map(loopbackUrl);
  let turn = 0;

  async function once(attempt: Attempt): Promise<Answer> {
    const node = nodes[turn % nodes.length]!;
    turn += 1;
    const response = await fetch(`${node}${attempt.path}`, {
      method: attempt.method,
      redirect: 'error',
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
      headers: { 'accept-language': 'en', ...attempt.headers },
      ...(attempt.body === undefined ? {} : { body: attempt.body }),
    });
    const text = await response.text();
    const body = parseObject(text);
    return {
      http: response.status,
      code: typeof body['code'] === 'number' ? body['code'] : response.status,
      msg: typeof body['msg'] === 'string' ? body['msg'] : text.slice(0, 200),
      data: (body['data'] ?? {}) as Readonly<Record<string, unknown>>,
    };
  }

  return {
    async call(makeAttempt, again = () => false) {
      const givenUpAt = Date.now() + patienceMs;
      statistics.calls += 1;
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        const attempt = makeAttempt();
        let problem: unknown;
        try {
          const answer = await once(attempt);
          if (answer.http < 500 && answer.http !== 429 && !again(answer)) return answer;
          problem = new Error(`${attempt.path} answered ${answer.http} ${answer.code}: ${answer.msg}`);
        } catch (error) {
          problem = error;
        }
        if (Date.now() > givenUpAt) throw new Error(`no answer to ${attempt.path}`, { cause: problem });
        statistics.retries += 1;
        await sleep(pause);
      }
    },
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
