import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { sign } from '@sangam/contract/signature.ts';
import { expect, test } from 'vitest';

/** The signing samples for integrators in docs/integrating.md. Each is run, and must make a signature that we accept. */

const SECRET = 'abcDEF0123456789';
const LINE = 'POST /v1.0/api/order/create';
const SENT = {
  mchId: '81',
  mchOrderNo: 'T0001',
  amount: 100,
  fee: 0,
  validateUserName: true,
  test: false,
  userName: 'सीता & co=1',
  param1: 'null',
  subject: '',
  body: null,
  Zone: 'a',
};

async function sampleIn(language: string): Promise<string> {
  const text = await readFile(new URL('../../../docs/integrating.md', import.meta.url), 'utf8');
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)![1]!;
}

/** Runs the program with line, fields and secret as its arguments. The program prints the signed fields. */
function run(command: string, args: readonly string[]): void {
  const { stdout, stderr } = spawnSync(command, [...args, LINE, JSON.stringify(SENT), SECRET], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const signed = JSON.parse(stdout) as Record<string, string | number | boolean | null>;
  expect(signed).toMatchObject(SENT);
  const { sign: given, ...fields } = signed;
  const texts = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === null ? null : String(value)]),
  );
  expect(texts['nonce']).toMatch(/^\S{16,}$/);
  expect(Math.abs(Number(texts['timestamp']) - Date.now())).toBeLessThan(60_000);
  expect(given).toBe(sign(texts, 'hmac-sha256-v2', SECRET, LINE));
}

test('the sample in JavaScript', async () => {
  const program = `${await sampleIn('js')}
    const [line, fields, secret] = process.argv.slice(-3);
    console.log(JSON.stringify(signed(line, JSON.parse(fields), secret)));`;
  run(process.execPath, ['--input-type=module', '-e', program, '--']);
});

test.skipIf(spawnSync('python3', ['--version']).status !== 0)('the sample in Python', async () => {
  const program = `${await sampleIn('python')}
import sys, json
line, fields, secret = sys.argv[1:]
print(json.dumps(signed(line, json.loads(fields), secret)))`;
  run('python3', ['-c', program]);
});
