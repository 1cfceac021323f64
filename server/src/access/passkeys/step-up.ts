import { createHash } from 'node:crypto';
import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { ENDPOINTS } from '@sangam/contract/endpoints/index.ts';
import { id as idText } from '@sangam/contract/fields.ts';
import { passkeyAnswer } from '@sangam/contract/passkeys.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { newToken } from '../secret-token.ts';
import {
  type PasskeyAnswer,
  type PasskeyOptions,
  askForPasskey,
  challengeOf,
  provePasskey,
} from './assertion.ts';
import { orderFacts, passkeysOf, requestFacts } from './store.ts';

/** What a passkey signs: this user wants this call, with this input, about these facts. */
interface Statement {
  readonly user: string;
  readonly call: string;
  readonly input: unknown;
  /** The facts of the order or waiting request that the call names, its amount among them. */
  readonly about: unknown;
}

/** Sorts the keys, so that one statement always has one text, also when it is read back from the audit. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, inOrder(each)]),
  );
}

/** The challenge of a statement: SHA-256 of the statement and a random number. */
export function challengeFor(statement: Statement, nonce: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(inOrder({ ...statement, nonce })))
    .digest();
}

async function statementOf(
  platform: Platform,
  viewer: Viewer,
  { path, stepUp }: Endpoint,
  input: unknown,
): Promise<Statement> {
  const id = (name: string) => {
    const { data } = idText.safeParse((input as Readonly<Record<string, unknown>> | null)?.[name]);
    return data === undefined ? undefined : BigInt(data);
  };
  const order = stepUp === 'order' ? (id('orderCode') ?? id('orderId')) : undefined;
  const request = stepUp === 'request' ? id('id') : undefined;
  return {
    user: String(viewer.userId),
    call: path,
    input,
    about:
      (order !== undefined && (await orderFacts(platform.db, order))) ||
      (request !== undefined && (await requestFacts(platform.db, request))) ||
      null,
  };
}

/** What the viewer's passkey has to sign for one call. 404 where the call needs no passkey, 409 where the viewer has none. */
export async function beginStepUp(
  platform: Platform,
  viewer: Viewer,
  { call, input }: { readonly call: string; readonly input: Readonly<Record<string, unknown>> },
): Promise<PasskeyOptions | Refusal> {
  const endpoint = ENDPOINTS.find(({ path, stepUp }) => path === call && stepUp !== undefined);
  if (!endpoint) return refuse('notFound');
  const passkeys = await passkeysOf(platform.db, viewer.userId);
  if (passkeys.length === 0) return refuse('conflict');
  const nonce = newToken();
  const challenge = challengeFor(await statementOf(platform, viewer, endpoint, input), nonce);
  const { userId, sessionId } = viewer;
  return askForPasskey(platform, passkeys, { challenge, userId, sessionId, nonce });
}

/**
 * Checks a sensitive call of a viewer with a passkey: header `passkey` must hold the passkey's answer to exactly this call. The
 * audit keeps the answer as proof. 1026 without an answer, 1008 with a wrong one; 'notAsked' where the viewer has no passkey.
 */
export async function checkStepUp(
  platform: Platform,
  viewer: Viewer,
  endpoint: Endpoint,
  input: unknown,
  header: string | undefined,
): Promise<'proven' | 'notAsked' | Refusal> {
  const passkeys = await passkeysOf(platform.db, viewer.userId);
  if (passkeys.length === 0) return 'notAsked';
  if (header === undefined) return refuse('stepUpNeeded');
  const answer = readAnswer(header);
  if (!answer) return refuse('passkeyWrong');
  const use = await provePasskey(platform, passkeys, viewer, answer);
  if (isRefusal(use)) return use;
  const { nonce, passkey, note } = use;
  const statement = await statementOf(platform, viewer, endpoint, input);
  const { clientDataJSON, authenticatorData, signature } = answer.response;
  // The passkey may have signed another call, input or amount.
  if (nonce === null || !challengeOf(clientDataJSON)?.equals(challengeFor(statement, nonce)))
    return refuse('passkeyWrong');
  return platform.db.tx(async (tx) => {
    if (!(await note(tx))) return refuse('passkeyWrong');
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'passkey.stepUp',
      subject: `passkey:${passkey.id}`,
      after: { ...statement, nonce, clientDataJSON, authenticatorData, signature },
      ip: viewer.ip,
    });
    return 'proven';
  });
}

function readAnswer(header: string): PasskeyAnswer | undefined {
  try {
    return passkeyAnswer.parse(JSON.parse(Buffer.from(header, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}
