import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createMonitorClient, type MonitorClient, type SmsReport } from './monitor-client.ts';

/**
 * The reference monitor: everything a device has to do to report a bank's messages, in one file. It reads messages from a folder or
 * from standard input. docs/monitor.md states the rules; this program follows them.
 *
 *   MONITOR_SECRET=… node simulators/src/monitor/program.ts --url http://127.0.0.1:8080 --id 30001 --inbox FOLDER
 *   … | MONITOR_SECRET=… node simulators/src/monitor/program.ts --url … --id 30001
 */

const HEARTBEAT_MS = 20_000;
const LOOK_EVERY_MS = 1_000;
const COMMANDS_EVERY_MS = 10_000;
/** Messages per report. The server accepts at most 500. */
const MOST_AT_ONCE = 200;

/** The source of messages. A message keeps its id for ever, so the server recognises it when it is reported again. */
export interface Inbox {
  /** All messages there are now, oldest first. */
  read(): SmsReport[];
}

/**
 * A folder with one file per message. `NAME.json`: {sender, text, receivedAt}. `NAME.txt`: the sender in the first line, the text
 * below; the time of receipt is that of the file. The file name is the message's id.
 */
export function folderInbox(folder: string): Inbox {
  return {
    read: () =>
      readdirSync(folder)
        .filter((name) => /\.(?:json|txt)$/.test(name) && name !== REPORTED)
        .map((name) => readMessage(join(folder, name), name.replace(/\.(?:json|txt)$/, '')))
        .toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime()),
  };
}

function readMessage(path: string, messageId: string): SmsReport {
  const content = readFileSync(path, 'utf8');
  if (path.endsWith('.txt')) {
    const [sender = '', ...lines] = content.trim().split('\n');
    return { messageId, sender: sender.trim(), text: lines.join('\n'), receivedAt: statSync(path).mtime };
  }
  const { sender, text, receivedAt } = JSON.parse(content) as {
    sender: string;
    text: string;
    receivedAt: string;
  };
  return { messageId, sender, text, receivedAt: new Date(receivedAt) };
}

/** Kept beside the messages, so that a restart does not report the whole inbox again. */
const REPORTED = 'reported.json';

export interface MonitorProgram {
  /** Reports new messages. Safe at any time: after a crash, some messages may be reported twice. */
  look(): Promise<void>;
  /** Carries out the server's commands: reports a span of the inbox again, or fetches the script. */
  obey(): Promise<void>;
  readonly scriptVersion: () => string;
}

export function createProgram(
  client: MonitorClient,
  inbox: Inbox,
  /** The file that keeps the reported ids; undefined: they are kept in memory only. */
  stateFile?: string,
): MonitorProgram {
  const known: unknown =
    stateFile && existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : [];
  const reported = new Set<string>(Array.isArray(known) ? known.map(String) : []);
  const obeyed = new Set<string>();
  let version = '1.0';

  async function report(messages: readonly SmsReport[]): Promise<void> {
    for (let at = 0; at < messages.length; at += MOST_AT_ONCE) {
      const batch = messages.slice(at, at + MOST_AT_ONCE);
      await client.report(batch);
      // Only after the server has them. A crash before this line reports them again, which is harmless.
      for (const { messageId } of batch) reported.add(messageId);
      if (stateFile) writeFileSync(stateFile, JSON.stringify([...reported]));
    }
  }

  return {
    look: () => report(inbox.read().filter(({ messageId }) => !reported.has(messageId))),
    async obey() {
      for (const command of await client.commands()) {
        // The server repeats a command for a minute; it is carried out once.
        if (obeyed.has(command.id)) continue;
        if (command.kind === 'resend')
          await report(
            inbox
              .read()
              .filter(
                ({ receivedAt }) =>
                  receivedAt.getTime() >= command.from && receivedAt.getTime() <= command.to,
              ),
          );
        else version = (await client.script()).version ?? version;
        obeyed.add(command.id);
      }
    },
    scriptVersion: () => version,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, id: { type: 'string' }, inbox: { type: 'string' } },
  });
  const secret = process.env['MONITOR_SECRET'];
  if (!values.url || !values.id || !secret) {
    process.stderr.write('usage: MONITOR_SECRET=… program.ts --url URL --id MONITOR [--inbox FOLDER]\n');
    process.exit(2);
  }
  const client = createMonitorClient({ url: values.url, monitorId: values.id, secret });
  const program = values.inbox
    ? createProgram(client, folderInbox(values.inbox), join(values.inbox, REPORTED))
    : createProgram(client, standardInput());
  const every = (ms: number, work: () => Promise<void>): void =>
    void (async () => {
      for (;;) {
        // The client retries by itself. What still fails is tried again in the next turn.
        await work().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
        await sleep(ms);
      }
    })();
  every(HEARTBEAT_MS, () => client.heartbeat(program.scriptVersion()));
  every(LOOK_EVERY_MS, () => program.look());
  every(COMMANDS_EVERY_MS, () => program.obey());
}

/** One message per line: JSON {messageId, sender, text, receivedAt}. */
function standardInput(): Inbox {
  const messages: SmsReport[] = [];
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line.trim() === '') return;
    const { receivedAt, ...message } = JSON.parse(line) as Omit<SmsReport, 'receivedAt'> & {
      receivedAt: string;
    };
    messages.push({ ...message, receivedAt: new Date(receivedAt) });
  });
  return { read: () => [...messages] };
}

if (import.meta.main) await main();
