import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createMonitorClient, type MonitorClient, type SmsReport } from './monitor-client.ts';

/**
 * The reference monitor: what a device has to do to report a bank's messages, in one page. It reads messages of a folder
 * or of standard input. docs/monitor.md says the rules; this program is them.
 *
 *   MONITOR_SECRET=… node simulators/src/monitor/program.ts --url http://127.0.0.1:8080 --id 30001 --inbox FOLDER
 *   … | MONITOR_SECRET=… node simulators/src/monitor/program.ts --url … --id 30001
 */

const HEARTBEAT_MS = 20_000;
const LOOK_EVERY_MS = 1_000;
const COMMANDS_EVERY_MS = 10_000;
/** The server takes at most 500 in one report. */
const MOST_AT_ONCE = 200;

/** Where messages come from. A message keeps its id for ever: told again, the server knows it. */
export interface Inbox {
  /** All messages there are now, oldest first. */
  read(): SmsReport[];
}

/**
 * A folder with a file a message. `NAME.json`: {sender, text, receivedAt}; `NAME.txt`: the sender in the first line, the
 * text below, received when the file was written. The file's name is the message's id.
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

/** Kept beside the messages, so that a restart does not report a year's inbox anew. */
const REPORTED = 'reported.json';

export interface MonitorProgram {
  /** Reports what is new. Safe at any time: what was reported before a crash is only told again. */
  look(): Promise<void>;
  /** Does what the server asks: reports a span of the inbox again, fetches the script. */
  obey(): Promise<void>;
  readonly scriptVersion: () => string;
}

export function createProgram(
  client: MonitorClient,
  inbox: Inbox,
  /** Where the ids reported are kept; undefined: in memory alone. */
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
      // Only once the server has them: a crash before this line tells them again, which harms nothing.
      for (const { messageId } of batch) reported.add(messageId);
      if (stateFile) writeFileSync(stateFile, JSON.stringify([...reported]));
    }
  }

  return {
    look: () => report(inbox.read().filter(({ messageId }) => !reported.has(messageId))),
    async obey() {
      for (const command of await client.commands()) {
        // A command is told for a minute; once is enough.
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
        // The client asks again by itself; what still fails is tried at the next turn.
        await work().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
        await sleep(ms);
      }
    })();
  every(HEARTBEAT_MS, () => client.heartbeat(program.scriptVersion()));
  every(LOOK_EVERY_MS, () => program.look());
  every(COMMANDS_EVERY_MS, () => program.obey());
}

/** A line a message: JSON {messageId, sender, text, receivedAt}. */
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
