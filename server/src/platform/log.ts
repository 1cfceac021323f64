import { type Logger, pino } from 'pino';

const SECRETS = [
  'password',
  'payPassword',
  'googleCode',
  'googleSecret',
  'secret',
  'sign',
  'token',
  'token2',
  'cookie',
  'authorization',
];

/** JSON lines on stdout. Bodies are never logged. If a secret is in a logged object, it is masked here. */
export function createLog(level: 'info' | 'warn' | 'silent'): Logger {
  return pino({
    level,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.headers.${name}`]), censor: '***' },
  });
}
