import * as contract from '@sangam/contract/endpoints/message-template.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval, type ApprovalRequest, type Started } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { bankOf, refreshTemplates } from './current.ts';
import { defaultTemplates } from './defaults/default-templates.ts';
import * as store from './store.ts';
import type { MessageTemplate } from './template.ts';
import { validateTemplate } from './validate.ts';

type Input<Endpoint extends { input: z.ZodType }> = z.output<Endpoint['input']>;
type Output<Endpoint extends { output: z.ZodType }> = z.input<Endpoint['output']>;

/** A requested template, and the version and template that it replaces. */
interface TemplateChange {
  readonly template: MessageTemplate;
  readonly templateBefore: MessageTemplate | null;
  readonly version: number;
}

/**
 * Asks to put a template in force that reads its own samples. A second person agrees (1205), because what it reads is money. Switching off
 * a template that reads movements needs nobody. 400 names the fault, 409 if somebody else saved meanwhile.
 */
export async function saveTemplate(
  platform: Platform,
  viewer: Viewer,
  input: Input<typeof contract.saveMessageTemplate>,
): Promise<Output<typeof contract.saveMessageTemplate> | Refusal> {
  const template = input.template as MessageTemplate;
  const errors = validateTemplate(template);
  if (errors.length > 0)
    return refuse(
      'invalidInput',
      { fields: errors[0]! },
      { fields: errors.map((message) => ({ path: pathOf(message), message })) },
    );
  const outcome = await platform.db.tx(async (tx): Promise<Started | number | Refusal> => {
    const templateBefore = await lockTemplate(tx, template.id, input.version);
    if (isRefusal(templateBefore)) return templateBefore;
    const change = { template, templateBefore, version: input.version };
    if (isSwitchedOff(change)) return writeTemplate(platform, tx, viewer, change, viewer.userId);
    return startApproval(platform, tx, viewer, request(template.id, change));
  });
  if (isRefusal(outcome)) return outcome;
  if (typeof outcome !== 'number') return approvalNeeded(outcome);
  await refreshTemplates(platform);
  return { id: template.id, version: outcome };
}

/** Asks to read messages of a further sender as the bank's. A second person agrees (1205). 409 if the header belongs to a bank already. */
export async function addBankHeader(
  platform: Platform,
  viewer: Viewer,
  { bank, header }: Input<typeof contract.addBankHeader>,
): Promise<Refusal> {
  const outcome = await platform.db.tx(async (tx): Promise<Started | Refusal> => {
    await store.countChange(tx);
    const taken = bankOf(header, await store.readHeaders(tx));
    if (taken !== undefined) return refuse('conflict', {}, { reason: 'headerTaken', bank: taken });
    return startApproval(platform, tx, viewer, request(bank, { header }));
  });
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

const payload = z.union([
  z.object({
    name: z.string(),
    template: contract.messageTemplate,
    templateBefore: contract.messageTemplate.nullable(),
    version: z.int(),
  }),
  z.object({ name: z.string(), header: z.string() }),
]);

/** Puts the requested template, or sender of a bank, in force. 409 if it was changed, or given to a bank, since. */
export const messageReadingApproval = approvalHandler({
  kind: 'messageReading',
  payload,
  summary: () => ({ amount: null, currency: null }),
  after: refreshTemplates,
  async execute(platform, tx, { payload: asked, startedBy }, decider) {
    if ('header' in asked) return writeHeader(platform, tx, decider, asked, startedBy);
    const template = asked.template as MessageTemplate;
    const templateBefore = await lockTemplate(tx, template.id, asked.version);
    if (isRefusal(templateBefore)) return templateBefore;
    const change = { template, templateBefore, version: asked.version };
    return { version: await writeTemplate(platform, tx, decider, change, startedBy) };
  },
});

function request(name: string, change: object): ApprovalRequest {
  return {
    kind: 'messageReading',
    subjectKind: 'setting',
    subjectId: 0n,
    payload: { name, ...change },
    reason: null,
    // Any number of requests may wait. The first one that is approved refuses the others of its name.
    sole: false,
  };
}

/** The template as it is now; changes of the set follow one another from here on. 409 if its version is another. */
async function lockTemplate(tx: Tx, id: string, version: number): Promise<MessageTemplate | null | Refusal> {
  await store.countChange(tx);
  const stored = await store.findTemplate(tx, id);
  if ((stored?.version ?? 0) !== version) return refuse('conflict');
  return stored?.template ?? defaultTemplates.find((shipped) => shipped.id === id) ?? null;
}

/**
 * Whether the change only makes a template stop reading movements. A template that ignores messages keeps other templates from reading them
 * as money, so switching that off does not count.
 */
function isSwitchedOff({ template, templateBefore }: TemplateChange): boolean {
  return (
    (template.rule === 'credit' || template.rule === 'debit') &&
    !template.enabled &&
    isDeepStrictEqual(template, { ...templateBefore, enabled: false })
  );
}

async function writeTemplate(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  { template, templateBefore, version: before }: TemplateChange,
  author: bigint,
): Promise<number> {
  const version = before + 1;
  await store.writeTemplate(tx, { template, version, at: platform.clock.now(), userId: author });
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'messageTemplate.save',
    subject: `messageTemplate:${template.id}`,
    before: templateBefore ?? undefined,
    after: template,
    ip: viewer.ip,
  });
  return version;
}

async function writeHeader(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  { name: bank, header }: { readonly name: string; readonly header: string },
  author: bigint,
): Promise<Record<string, never> | Refusal> {
  await store.countChange(tx);
  const isNew = await store.addHeader(tx, { header, bank, at: platform.clock.now(), userId: author });
  if (!isNew) return refuse('conflict', {}, { reason: 'headerTaken' });
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'bank.addHeader',
    subject: `bank:${bank}`,
    after: { header },
    ip: viewer.ip,
  });
  return {};
}

/** The field that an error of validateTemplate is about. */
function pathOf(error: string): string {
  const field = /^(\w+?)(?: \d+)?:/.exec(error)?.[1] ?? 'pattern';
  return field === 'sample' ? 'samples' : field;
}
