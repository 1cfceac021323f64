import { createSocket } from 'node:dgram';

export interface NameServer {
  /** In the form that a resolver takes. */
  readonly address: string;
  /** The number of questions for each name. */
  readonly asked: Map<string, number>;
  close(): Promise<void>;
}

/** A name server. `answerOf` gives a name's IPv4 addresses; null: the name has none; undefined: the server never answers. */
export async function startNameServer(
  answerOf: (name: string) => string | readonly string[] | null | undefined,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked = new Map<string, number>();
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    let at = 12;
    while (question[at] !== 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
      at += 1 + question[at]!;
    }
    const name = labels.join('.').toLowerCase();
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const answer = answerOf(name);
    if (answer === undefined) return;
    const isAnswered = answer !== null && question.readUInt16BE(at + 1) === 1;
    const addresses = isAnswered ? [answer].flat() : [];
    const head = Buffer.from(question.subarray(0, at + 5));
    // Flags: an answer, recursion available. One question, and one answer for each address.
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
