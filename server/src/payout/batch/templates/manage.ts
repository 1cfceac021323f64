import type {
  createPayoutTemplate,
  getPayoutTemplate,
  getPayoutTemplateList,
  tryPayoutTemplate,
} from '@sangam/contract/endpoints/payout-template.ts';
import type { TemplateFormat } from '@sangam/contract/payout-templates.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { z } from 'zod';
import { approvalHandler } from '../../../approvals/approval.ts';
import { tiedToAuthors } from '../../../approvals/independence.ts';
import { approvalNeeded, startApproval, type Started } from '../../../approvals/start.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { hasType, textOf } from '../../../platform/files/upload.ts';
import { refuseFile } from '../../../platform/files/problems.ts';
import type { Platform } from '../../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../../platform/refusal.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { DEFAULT_TEMPLATES } from './defaults.ts';
import { isProblems, readResult } from './read-result.ts';
import { type FileRow, modeOf, renderFile } from './render.ts';
import {
  currentTemplates,
  authorsOf,
  insertTemplate,
  insertVersion,
  lockTemplate,
  setEnabled,
  type StoredTemplate,
  versionsOf,
} from './template-store.ts';

/** Adds the templates of a new installation. A template whose name exists stays as it is. */
export async function seedTemplates(platform: Platform): Promise<void> {
  const at = platform.clock.now();
  await platform.db.tx(async (tx) => {
    for (const { name, format } of DEFAULT_TEMPLATES) {
      const templateId = await insertTemplate(tx, name, true, at);
      if (templateId !== undefined) await insertVersion(tx, { templateId, version: 1, format, by: null, at });
    }
  });
}

const shown = (template: StoredTemplate) => ({
  id: String(template.id),
  name: template.name,
  enabled: template.enabled,
  version: template.version,
  readsResult: template.format.result !== null,
  bank: template.format.bank,
  updateTime: formatTime(template.updatedAt),
  updatedBy: template.updatedBy,
});

export async function listTemplates(
  platform: Platform,
): Promise<z.input<typeof getPayoutTemplateList.output>> {
  return { list: (await currentTemplates(platform.db)).map(shown) };
}

export async function getTemplate(
  platform: Platform,
  input: z.output<typeof getPayoutTemplate.input>,
): Promise<z.input<typeof getPayoutTemplate.output> | Refusal> {
  const id = BigInt(input.templateId);
  const template = (await currentTemplates(platform.db)).find((each) => each.id === id);
  const versions = await versionsOf(platform.db, id);
  const asked = versions.find((each) => each.version === (input.version ?? template?.version));
  if (!template || !asked) return refuse('notFound');
  return {
    ...shown(template),
    version: asked.version,
    format: asked.format,
    versions: versions.map(({ version, at, by }) => ({ version, time: formatTime(at), by })),
  };
}

export function createTemplate(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof createPayoutTemplate.input>,
): Promise<{ templateId: string; version: number } | Refusal> {
  return platform.db.tx(async (tx) => {
    const at = platform.clock.now();
    const templateId = await insertTemplate(tx, input.name, false, at);
    if (templateId === undefined) return refuse('conflict', {}, { fields: [{ path: 'name' }] });
    await insertVersion(tx, { templateId, version: 1, format: input.format, by: viewer.userId, at });
    await record(platform, tx, viewer, 'create', templateId, undefined, input);
    return { templateId: String(templateId), version: 1 };
  });
}

/** Adds a version and switches the template off until a second person has agreed to it. 409 when `version` is not the newest. */
export function updateTemplate(
  platform: Platform,
  viewer: Viewer,
  input: { readonly templateId: string; readonly version: number; readonly format: TemplateFormat },
): Promise<{ templateId: string; version: number } | Refusal> {
  return platform.db.tx(async (tx) => {
    const before = await lockTemplate(tx, BigInt(input.templateId));
    if (!before) return refuse('notFound');
    if (before.version !== input.version) return refuse('conflict');
    const version = before.version + 1;
    const at = platform.clock.now();
    await insertVersion(tx, { templateId: before.id, version, format: input.format, by: viewer.userId, at });
    await setEnabled(tx, before.id, false);
    await record(platform, tx, viewer, 'update', before.id, before.format, input.format);
    return { templateId: input.templateId, version };
  });
}

/**
 * Switches a template off at once. To switch it on, a second person has to agree to its version (1205): a template says whom the bank pays.
 */
export async function enableTemplate(
  platform: Platform,
  viewer: Viewer,
  input: { readonly templateId: string; readonly enable: boolean },
): Promise<{ templateId: string; enable: boolean } | Refusal> {
  const outcome = await platform.db.tx(async (tx): Promise<Started | Refusal | null> => {
    const before = await lockTemplate(tx, BigInt(input.templateId));
    if (!before) return refuse('notFound');
    if (before.enabled === input.enable) return null;
    if (!input.enable) {
      await turn(platform, tx, viewer, before.id, false);
      return null;
    }
    const { name, version } = before;
    return startApproval(platform, tx, viewer, {
      kind: 'payoutTemplate',
      subjectKind: 'setting',
      subjectId: before.id,
      payload: { name, version },
      reason: null,
      // A request for another version may wait beside this one.
      sole: false,
    });
  });
  if (isRefusal(outcome)) return outcome;
  return outcome ? approvalNeeded(outcome) : input;
}

/** A second person, who wrote none of the versions since the last agreed one, agrees to a version. */
export const payoutTemplateApproval = approvalHandler({
  kind: 'payoutTemplate',
  payload: z.object({ name: z.string(), version: z.int() }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { subjectId, payload }, decider) {
    const template = await lockTemplate(tx, subjectId);
    if (template?.version !== payload.version) return refuse('conflict');
    const tied = await tiedToAuthors(platform, tx, decider, await authorsOf(tx, template));
    if (tied) return tied;
    await turn(platform, tx, decider, template.id, true);
    return {};
  },
});

async function turn(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  templateId: bigint,
  enable: boolean,
): Promise<void> {
  await setEnabled(tx, templateId, enable);
  await record(platform, tx, viewer, 'enable', templateId, { enable: !enable }, { enable });
}

function record(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  verb: 'create' | 'update' | 'enable',
  templateId: bigint,
  before: unknown,
  after: unknown,
): Promise<void> {
  const action = `payoutTemplate.${verb}`;
  const subject = `payoutTemplate:${templateId}`;
  return audit(platform, tx, { userId: viewer.userId, action, subject, before, after, ip: viewer.ip });
}

/** Two invented payees: one at the paying bank, one at another bank. */
const SAMPLE_PAYEES = [
  {
    payeeName: 'Asha Rao',
    payeeAccount: '50100000000001',
    payeeBank: 'Own bank',
    payeeVpa: null,
    amount: 1_500_00n,
  },
  {
    payeeName: 'Vikram Shah',
    payeeAccount: '60200000000002',
    payeeBank: 'Other bank',
    payeeVpa: null,
    amount: 2_50_000_50n,
  },
] as const;

/** Shows the file that a format makes of two invented payouts, and what it reads in a sample of the bank's result file. */
export async function tryTemplate(
  platform: Platform,
  viewer: Viewer,
  { format, sample }: z.output<typeof tryPayoutTemplate.input>,
): Promise<z.input<typeof tryPayoutTemplate.output> | Refusal> {
  const bank = format.bank || 'HDFC';
  const account = {
    accountNumber: '1234567890',
    ifsc: `${bank}0000001`,
    ownerName: 'Sangam',
    currency: 'INR',
  } as const;
  const rows = SAMPLE_PAYEES.map((payee, index): FileRow => {
    const payeeIfsc = `${index === 0 ? bank : 'SBIN'}0000001`;
    const row = { ...payee, payeeIfsc, row: index + 1, reference: `B80001R00${index + 1}` };
    return { ...row, mode: modeOf(format, account, row) ?? '' };
  });
  const file = renderFile(format, { account, payAt: platform.clock.now(), serial: 1, rows });
  const preview = { fileName: file.fileName, upload: file.content, result: null };
  if (!sample) return preview;
  if (!format.result) return refuse('resultNotReadable');
  const text = textOf(Buffer.from(sample.content, 'base64'));
  if (text === undefined || !hasType(sample.fileName, format.result.fileTypes))
    return refuse('wrongFileType');
  const read = readResult(format.result, text);
  if (isProblems(read)) return refuseFile(read, viewer.locale);
  return {
    ...preview,
    result: read.map((row) => ({ ...row, amount: row.amount === null ? null : Number(row.amount) })),
  };
}
