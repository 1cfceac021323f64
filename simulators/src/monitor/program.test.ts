import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signMonitorCall } from '@sangam/contract/signature.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMonitorClient } from './monitor-client.ts';
import { createProgram, folderInbox } from './program.ts';

const SECRET = 'secret';
let server: Server;
let url: string;
let folder: string;
let reports: string[][];
let sequences: bigint[];
let commands: object[];

/** A server that checks every signature and keeps what was reported. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const header = (name: string) => String(request.headers[name]);
      const [timestamp, sequence] = [header('x-monitor-timestamp'), header('x-monitor-sequence')];
      const isSigned = header('x-monitor-signature') === signMonitorCall(SECRET, timestamp, sequence, body);
      sequences.push(BigInt(sequence));
      const answer = (code: number, data: object) => response.end(JSON.stringify({ code, msg: '', data }));
      if (!isSigned) answer(1102, {});
      else if (request.url === '/v1.0/monitor/report') {
        const { messages } = JSON.parse(body.toString()) as { messages: { messageId: string }[] };
        reports.push(messages.map(({ messageId }) => messageId));
        answer(200, { results: [] });
      } else if (request.url === '/v1.0/monitor/commands') answer(200, { commands });
      else answer(200, { version: '2.0', body: 'x' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  folder = mkdtempSync(join(tmpdir(), 'monitor-'));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  [reports, sequences, commands] = [[], [], []];
});

const put = (name: string, minute: number) =>
  writeFileSync(
    join(folder, `${name}.json`),
    JSON.stringify({ sender: 'VM-HDFCBK-S', text: name, receivedAt: `2026-05-08T10:0${minute}:00Z` }),
  );

test('reports each message once, oldest first, also after a restart, and again when asked to', async () => {
  const start = () =>
    createProgram(
      createMonitorClient({ url, monitorId: '1', secret: SECRET }),
      folderInbox(folder),
      join(folder, 'reported.json'),
    );
  const program = start();
  put('second', 2);
  put('first', 1);
  await program.look();
  await program.look();
  put('third', 3);
  const again = start();
  await again.look();
  expect(reports).toEqual([['first', 'second'], ['third']]);

  commands = [
    {
      id: '7',
      kind: 'resend',
      from: Date.parse('2026-05-08T10:02:00Z'),
      to: Date.parse('2026-05-08T10:09:00Z'),
    },
    { id: '8', kind: 'refreshScript' },
  ];
  await again.obey();
  await again.obey();
  expect(reports.slice(2)).toEqual([['second', 'third']]);
  expect(again.scriptVersion()).toBe('2.0');
  expect(sequences).toEqual(sequences.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(new Set(sequences).size).toBe(sequences.length);
});

test('a text file has its sender in the first line', () => {
  const path = join(folder, 'plain.txt');
  writeFileSync(path, 'MPESA\nUE84 Confirmed.\nYou have received Ksh5.00\n');
  expect(
    folderInbox(folder)
      .read()
      .find(({ messageId }) => messageId === 'plain'),
  ).toMatchObject({
    sender: 'MPESA',
    text: 'UE84 Confirmed.\nYou have received Ksh5.00',
  });
});
