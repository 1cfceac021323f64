import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { DEFAULT_TEMPLATES } from '../payout/batch/templates/defaults.ts';
import {
  createTemplate,
  enableTemplate,
  getTemplate,
  updateTemplate,
} from '../payout/batch/templates/manage.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

/** The format of a payout file in the attacker model: one superAdmin tries to put its own account into every row. */

/** Must be in no row of a file that two people approved. */
export const OWN_ACCOUNT = '50100999999999';

export interface FormatPeople {
  readonly boss: Viewer;
  readonly otherBoss: Viewer;
}

const HONEST = DEFAULT_TEMPLATES.find(({ name }) => name === 'ICICI CIB')!.format;
const FORGED = {
  ...HONEST,
  columns: HONEST.columns.map((column) =>
    column.value === '{{payeeAccount}}' ? { ...column, value: OWN_ACCOUNT } : column,
  ),
};

/** A gang's own format, approved by two people. */
export async function makeFormat(platform: Platform, people: FormatPeople, name: string): Promise<string> {
  const made = await createTemplate(platform, people.boss, { name, format: HONEST });
  if (isRefusal(made)) throw new Error(made.code);
  await agreeTo(platform, people, made.templateId);
  return made.templateId;
}

/**
 * One superAdmin writes its own account into the format, switches it on, and both asks and approves. Or both bring the honest format back.
 */
export async function changeFormat(
  platform: Platform,
  people: FormatPeople,
  templateId: string,
  isForged: boolean,
): Promise<void> {
  const now = await getTemplate(platform, { templateId });
  if (isRefusal(now)) throw new Error(now.code);
  const format = isForged ? FORGED : HONEST;
  await updateTemplate(platform, people.boss, { templateId, version: now.version, format });
  const { boss } = people;
  await (isForged
    ? agreeTo(platform, { boss, otherBoss: boss }, templateId)
    : agreeTo(platform, people, templateId));
}

/** Asks to approve the present format, and approves it as `otherBoss`. The model tests whether this is refused. */
async function agreeTo(
  platform: Platform,
  { boss, otherBoss }: FormatPeople,
  templateId: string,
): Promise<void> {
  const asked = await enableTemplate(platform, boss, { templateId, enable: true });
  if (!isRefusal(asked) || asked.code !== 'approvalNeeded') return;
  const id = BigInt((asked.data as { readonly todoId: string }).todoId);
  await decide(platform, APPROVAL_HANDLERS, otherBoss, { id, approve: true });
}
