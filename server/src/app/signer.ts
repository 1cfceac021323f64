import { parseArgs } from 'node:util';
import { systemClock } from '../platform/clock.ts';
import { ConfigError } from '../platform/environment.ts';
import { createLog } from '../platform/log.ts';
import {
  addKey,
  addReleaser,
  type ChangeContext,
  removeKey,
  setLimits,
  type Witnesses,
} from '../signer/change.ts';
import { readSignerConfig } from '../signer/config.ts';
import { startSigner } from '../signer/start.ts';

const USAGE = `npm run signer                                   sign for the platform
npm run signer -- new-key                        make a wallet, and print its address
npm run signer -- import-key                     take the private key given on standard input
npm run signer -- remove-key ADDRESS
npm run signer -- releaser ACCOUNT               let a console user release; prints what the authenticator takes
npm run signer -- limits --one USDT --day USDT   the largest transfer, and the most of a day and wallet, without release
With two releasers every change needs: --by ACCOUNT:CODE --by ACCOUNT:CODE`;

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { by: { type: 'string', multiple: true }, one: { type: 'string' }, day: { type: 'string' } },
  });
  const config = readSignerConfig(process.env);
  const context: ChangeContext = { ...config, clock: systemClock };
  const witnesses: Witnesses = (values.by ?? []).map((each) => {
    const [name = '', code = ''] = each.split(':');
    return { name, code };
  });
  const [command, subject] = positionals;
  switch (command) {
    case undefined:
      return serve(config);
    case 'new-key':
      return say(await addKey(context, witnesses));
    case 'import-key':
      return say(await addKey(context, witnesses, (await readInput()).trim()));
    case 'remove-key':
      return removeKey(context, witnesses, subject ?? '');
    case 'releaser':
      return say(await addReleaser(context, witnesses, subject ?? ''));
    case 'limits':
      return setLimits(context, witnesses, { one: millionths(values.one), day: millionths(values.day) });
    default:
      throw new ConfigError(USAGE);
  }
}

async function serve(config: Parameters<typeof startSigner>[0]): Promise<void> {
  const log = createLog('info');
  const signer = await startSigner(config, {
    clock: systemClock,
    onError: (error) => log.error({ err: error }, 'signer'),
  });
  say(`Signing on ${signer.url}`);
  const stop = () => {
    signer.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  // The demo's signer must end with the node that started it, however that node ends.
  if (process.env['SIGNER_ENDS_WITH_INPUT'] === '1') process.stdin.once('end', stop).resume();
}

function millionths(text: string | undefined): bigint {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text ?? '');
  if (!match) throw new ConfigError('limits: --one and --day, each an amount of USDT');
  return BigInt(match[1]! + (match[2] ?? '').padEnd(6, '0'));
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
