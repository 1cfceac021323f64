import type * as contract from '@sangam/contract/endpoints/message-template.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { DAY } from '../../platform/clock.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import type { PageInput } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { bankOf, currentTemplates, refreshTemplates, templatesInForce } from './current.ts';
import { defaultTemplates } from './defaults/default-templates.ts';
import { bankHeaders } from './defaults/headers.ts';
import { draftTemplate } from './draft.ts';
import { compileTemplates, parseMessage, type Movement, type ParseResult } from './engine.ts';
import { parseSender } from './normalise.ts';
import * as store from './store.ts';
import type { MessageTemplate } from './template.ts';
import { validateTemplate } from './validate.ts';

type Input<Endpoint extends { input: z.ZodType }> = z.output<Endpoint['input']>;
type Output<Endpoint extends { output: z.ZodType }> = z.input<Endpoint['output']>;

const shippedById = new Map(defaultTemplates.map((template) => [template.id, template]));

function originOf(id: string, stored: boolean): 'shipped' | 'changed' | 'own' {
  if (!shippedById.has(id)) return 'own';
  return stored ? 'changed' : 'shipped';
}

/** Templates in the order they are tried. */
export async function listTemplates(
  platform: Platform,
  _viewer: Viewer,
  input: Input<typeof contract.getMessageTemplateList>,
): Promise<Output<typeof contract.getMessageTemplateList>> {
  const stored = new Map((await store.readTemplates(platform.db)).map((row) => [row.id, row]));
  const list = (await templatesInForce(platform))
    .toSorted((a, b) => b.priority - a.priority)
    .map(({ senderHeaders, samples, ...template }) => {
      const row = stored.get(template.id);
      return {
        ...template,
        origin: originOf(template.id, row !== undefined),
        senders: senderHeaders.length,
        anySender: senderHeaders.includes('*'),
        samples: samples.length,
        version: row?.version ?? 0,
        updateTime: row ? formatTime(row.updatedAt) : null,
        updatedBy: row?.updatedBy ?? null,
      };
    });
  const wanted = list.filter(
    ({ id, bank, rule, origin }) =>
      (input.name === undefined || `${id} ${bank}`.toLowerCase().includes(input.name.toLowerCase())) &&
      (input.rule === undefined || rule === input.rule) &&
      (input.origin === undefined || origin === input.origin),
  );
  return pageOf(wanted, input);
}

/** A template with its versions, newest first; the shipped one is version 0. */
export async function getTemplate(
  platform: Platform,
  _viewer: Viewer,
  { id }: Input<typeof contract.getMessageTemplate>,
): Promise<Output<typeof contract.getMessageTemplate> | Refusal> {
  const versions = await store.readVersions(platform.db, id);
  const template = versions[0]?.template ?? shippedById.get(id);
  if (!template) return refuse('notFound');
  return {
    template: mutable(template),
    origin: originOf(id, versions.length > 0),
    version: versions[0]?.version ?? 0,
    versions: versions.map(({ at, ...version }) => ({
      ...version,
      template: mutable(version.template),
      time: formatTime(at),
    })),
  };
}

/** What the templates read in these texts. With a draft: as if the draft were in force. */
export async function tryTemplates(
  platform: Platform,
  _viewer: Viewer,
  input: Input<typeof contract.tryMessageTemplate>,
): Promise<Output<typeof contract.tryMessageTemplate>> {
  const draft = input.template as MessageTemplate | undefined;
  const errors = draft ? validateTemplate(draft) : [];
  const isUsable = draft && !errors.some((error) => error.startsWith('pattern'));
  const compiled = isUsable
    ? compileTemplates([
        { ...draft, enabled: true },
        ...(await templatesInForce(platform)).filter(({ id }) => id !== draft.id),
      ])
    : await currentTemplates(platform);
  const receivedAt = platform.clock.now();
  return {
    errors,
    results: input.messages.map(({ sender, text }) =>
      attemptOf(parseMessage(compiled, { text, receivedAt, ...(sender ? { sender } : {}) })),
    ),
  };
}

function attemptOf(result: ParseResult): Output<typeof contract.tryMessageTemplate>['results'][number] {
  const movement: Movement | undefined =
    result.outcome === 'parsed' ? result : result.outcome === 'unparsed' ? result.proposal : undefined;
  return {
    outcome: result.outcome,
    templateId: result.outcome === 'ignored' ? result.templateId : (movement?.templateId ?? null),
    reason: result.outcome === 'ignored' ? result.reason : null,
    isProposal: result.outcome === 'unparsed' && movement !== undefined,
    direction: movement?.direction ?? null,
    currency: movement?.currency ?? null,
    amount: movement ? Number(movement.amountMinor) : null,
    balance: movement?.balanceMinor === undefined ? null : Number(movement.balanceMinor),
    accountTail: movement?.accountTail ?? null,
    ref: movement?.ref ?? null,
    payer: movement?.payer ?? null,
    vpa: movement?.vpa ?? null,
    bankTime: movement?.bankTime ? formatTime(movement.bankTime) : null,
  };
}

/** A template that is drafted from a stored message. */
export async function draftFromMessage(
  platform: Platform,
  _viewer: Viewer,
  { messageId }: Input<typeof contract.draftMessageTemplate>,
): Promise<Output<typeof contract.draftMessageTemplate> | Refusal> {
  const message = await store.findText(platform.db, BigInt(messageId));
  if (!message) return refuse('notFound');
  const template = draftTemplate(message, await store.readHeaders(platform.db));
  if (!template) return refuse('conflict', {}, { reason: 'noAmount' });
  return { template: mutable(template), errors: validateTemplate(template) };
}

const COVERAGE_DAYS = 30;

/** What became of each bank's messages in 30 days. Senders that belong to no bank are counted together, under null. */
export async function coverage(platform: Platform): Promise<Output<typeof contract.getMessageCoverage>> {
  const from = firstIdAt(new Date(platform.clock.now().getTime() - COVERAGE_DAYS * DAY));
  const added = await store.readHeaders(platform.db);
  const byBank = new Map<string | null, Output<typeof contract.getMessageCoverage>['list'][number]>();
  for (const count of await store.countBySender(platform.db, from)) {
    const sender = parseSender(count.sender);
    const bank = (sender.type === 'header' ? bankOf(sender.header, added) : undefined) ?? null;
    const row = byBank.get(bank) ?? {
      bank,
      senders: [],
      parsed: 0,
      unparsed: 0,
      ignored: 0,
      lastUnparsedId: null,
    };
    byBank.set(bank, row);
    const header = sender.type === 'header' ? sender.header : count.sender;
    if (!row.senders.includes(header) && row.senders.length < 20) row.senders.push(header);
    row.parsed += count.parsed;
    row.unparsed += count.unparsed;
    row.ignored += count.ignored;
    if (count.lastUnparsed !== null && count.lastUnparsed > BigInt(row.lastUnparsedId ?? 0))
      row.lastUnparsedId = String(count.lastUnparsed);
  }
  return { list: [...byBank.values()].toSorted((a, b) => b.unparsed - a.unparsed || b.parsed - a.parsed) };
}

/** Banks with their sender headers: the shipped ones and those that the operator added. */
export async function listBanks(
  platform: Platform,
  _viewer: Viewer,
  input: Input<typeof contract.getBankList>,
): Promise<Output<typeof contract.getBankList>> {
  const added = await store.readHeaders(platform.db);
  const names = new Set([...Object.keys(bankHeaders), 'M-Pesa', ...added.map(({ bank }) => bank)]);
  const shipped: Readonly<Record<string, readonly string[]>> = {
    ...bankHeaders,
    'M-Pesa': ['MPESA', 'SAFARICOM'],
  };
  const list = [...names]
    .toSorted((a, b) => a.localeCompare(b, 'en'))
    .map((bank) => ({
      bank,
      shipped: [...(shipped[bank] ?? [])],
      added: added
        .filter((each) => each.bank === bank)
        .map(({ header, at, by }) => ({ header, time: formatTime(at), by })),
    }))
    .filter(({ bank, shipped: own, added: more }) => {
      const words = [bank, ...own, ...more.map(({ header }) => header)];
      return words.some((word) => word.toLowerCase().includes(input.name?.toLowerCase() ?? ''));
    });
  return pageOf(list, input);
}

/** Removes a header that the operator added. 404 if there is none. */
export async function removeBankHeader(
  platform: Platform,
  viewer: Viewer,
  { header }: Input<typeof contract.removeBankHeader>,
): Promise<Output<typeof contract.removeBankHeader> | Refusal> {
  const done = await platform.db.tx(async (tx) => {
    await store.countChange(tx);
    const bank = await store.deleteHeader(tx, header);
    if (bank === undefined) return refuse('notFound');
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'bank.removeHeader',
      subject: `bank:${bank}`,
      before: { header },
      ip: viewer.ip,
    });
    return {};
  });
  if (!isRefusal(done)) await refreshTemplates(platform);
  return done;
}

/** A page of a list that is complete in memory, a few hundred rows at most. The cursor is the number of rows before the page. */
function pageOf<Row>(rows: readonly Row[], input: PageInput) {
  const pageSize = input.pageSize ?? input.pageNum ?? 20;
  const pageIndex = input.pageIndex ?? 1;
  const from = Number(input.cursor ?? (pageIndex - 1) * pageSize);
  return {
    list: rows.slice(from, from + pageSize),
    total: rows.length,
    totalCapped: false,
    pageIndex,
    pageSize,
    nextCursor: from + pageSize < rows.length ? String(from + pageSize) : null,
  };
}

/** A copy with arrays that can be written, as the type of the API has them. */
function mutable(template: MessageTemplate): Input<typeof contract.saveMessageTemplate>['template'] {
  return structuredClone(template) as Input<typeof contract.saveMessageTemplate>['template'];
}
