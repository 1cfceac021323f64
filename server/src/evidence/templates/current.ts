import { SECOND } from '../../platform/clock.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { defaultTemplates } from './defaults/default-templates.ts';
import { bankHeaders, indianHeaders } from './defaults/headers.ts';
import { compileTemplates, type CompiledTemplates } from './engine.ts';
import { readHeaders, readSetVersion, readTemplates, type BankHeader } from './store.ts';
import type { MessageTemplate } from './template.ts';

/** A change that another node made takes effect here within this time. */
const CHECK_EVERY = SECOND;

/** The templates in force, and the bank of each sender that the operator added. */
export interface InForce extends CompiledTemplates {
  readonly addedBanks: ReadonlyMap<string, string>;
}

interface Current {
  compiled: InForce;
  version: bigint;
  checkedAt: number;
  checking: Promise<void> | undefined;
}

const currentOf = perPlatform((): Current => ({
  compiled: shipped,
  version: 0n,
  checkedAt: 0,
  checking: undefined,
}));

const shipped: InForce = { ...compileTemplates(defaultTemplates), addedBanks: new Map() };

/** The templates in force, at most a second old. The set's version is read first, and the set itself only if its version has changed. */
export async function currentTemplates(platform: Platform): Promise<InForce> {
  const current = currentOf(platform);
  if (platform.clock.now().getTime() - current.checkedAt >= CHECK_EVERY) {
    current.checking ??= refresh(platform, current).finally(() => {
      current.checking = undefined;
    });
    await current.checking;
  }
  return current.compiled;
}

/** Reads the set now. After a change, so that this node uses it at once. */
export async function refreshTemplates(platform: Platform): Promise<void> {
  await refresh(platform, currentOf(platform));
}

async function refresh(platform: Platform, current: Current): Promise<void> {
  const now = platform.clock.now().getTime();
  const version = await readSetVersion(platform.db.evidence);
  if (version !== current.version) {
    const added = await readHeaders(platform.db);
    current.compiled = {
      ...compileTemplates(await templatesInForce(platform)),
      addedBanks: new Map(added.map(({ header, bank }) => [header, bank])),
    };
    current.version = version;
  }
  current.checkedAt = now;
}

/** Shipped templates, changed copies in place of shipped ones, and own templates, all with the senders that the operator added. */
export async function templatesInForce(platform: Platform): Promise<MessageTemplate[]> {
  const [stored, added] = [await readTemplates(platform.db), await readHeaders(platform.db)];
  const changed = new Map(stored.map(({ id, template }) => [id, template]));
  const ids = new Set(defaultTemplates.map(({ id }) => id));
  return [
    ...defaultTemplates.map((template) => changed.get(template.id) ?? template),
    ...stored.filter(({ id }) => !ids.has(id)).map(({ template }) => template),
  ].map((template) => withHeaders(template, added));
}

/** A template of every Indian bank gets every added sender. A template of a single bank gets those of its bank. */
function withHeaders(template: MessageTemplate, added: readonly BankHeader[]): MessageTemplate {
  const known = new Set(template.senderHeaders);
  const isOfAll = indianHeaders.every((header) => known.has(header));
  const more = added.filter(
    ({ header, bank }) => !known.has(header) && (bank === template.bank || (isOfAll && bank !== 'M-Pesa')),
  );
  return more.length === 0
    ? template
    : { ...template, senderHeaders: [...template.senderHeaders, ...more.map(({ header }) => header)] };
}

/** The bank that a header belongs to, by the operator's list or the shipped one. */
export function bankOf(header: string, added: readonly BankHeader[]): string | undefined {
  const own = added.find((each) => each.header === header)?.bank;
  if (own !== undefined || header === 'MPESA') return own ?? 'M-Pesa';
  return Object.entries(bankHeaders).find(([, headers]) => headers.includes(header))?.[0];
}
