import { CURRENCIES, type Currency } from './money.ts';
import { ADMINS, ROLES, type Role } from './roles.ts';

/** Kinds of requests that wait for a second person. A new kind is a line here, one in the rules and one object on the server. */
export const APPROVAL_KINDS = [
  'balanceAdjustment',
  'clearBalance',
  'reversal',
  'supplementAbove',
  'unprovenPayout',
  'resultFile',
  'batchCancel',
  'payoutTemplate',
  'merchantAccess',
  'ownAddresses',
  'beneficiary',
  'topUp',
  'withdrawal',
  'creditLimit',
  'rateChange',
  'supplierAgent',
  'gatewayCredentials',
  'balanceMode',
  'chainPatch',
  'usdtRelease',
  'payScriptRelease',
  'monitorScriptRelease',
  'messageReading',
  'settledOutside',
  'offsetCorrection',
  'earlySettlement',
  'settlementTerm',
  'settingChange',
  'payAddress',
  'transferInstruction',
  'heldRelease',
  'ipRuleChange',
  'botGroup',
  'nameListChange',
  'personalExport',
  'archiveRestore',
  'accessReview',
  'userAccess',
] as const;

export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const APPROVAL_STATUSES = ['pending', 'approved', 'refused', 'expired', 'withdrawn'] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

interface ApprovalRule {
  readonly start: readonly Role[];
  /** Never the one who started it, whatever the role: the database holds to that as well. */
  readonly decide: readonly Role[];
}

const SCRIPTERS: readonly Role[] = ['superAdmin', 'technicalSupport'];
const DESK: readonly Role[] = ['superAdmin', 'admin', 'customerService'];

/** Who may ask for what, and who may answer. Merchants and suppliers ask for their own money only (scope). */
export const APPROVAL_RULES: Readonly<Record<ApprovalKind, ApprovalRule>> = {
  balanceAdjustment: { start: ADMINS, decide: ADMINS },
  clearBalance: { start: ADMINS, decide: ADMINS },
  // A superAdmin reverses without asking, but for what only an own file of the bank's says; two admins together may not.
  reversal: { start: ADMINS, decide: ['superAdmin'] },
  supplementAbove: { start: [...DESK, 'supplier'], decide: ADMINS },
  // A supplier asks to hand back what may have been paid.
  unprovenPayout: { start: [...DESK, 'supplier'], decide: ADMINS },
  resultFile: { start: DESK, decide: ADMINS },
  // That a file which was exported never went to the bank.
  batchCancel: { start: DESK, decide: ADMINS },
  // Whom a bank's file pays is for those who may read its format.
  payoutTemplate: { start: ['superAdmin'], decide: ['superAdmin'] },
  merchantAccess: { start: ADMINS, decide: ADMINS },
  // A merchant asks where its own calls and users may come from.
  ownAddresses: { start: ['merchant'], decide: ADMINS },
  // Where it withdraws to: an own account, agreed to by somebody who has looked whose it is.
  beneficiary: { start: ['merchant'], decide: ADMINS },
  topUp: { start: [...DESK, 'supplier'], decide: ADMINS },
  withdrawal: { start: [...DESK, 'supplier', 'merchant'], decide: ADMINS },
  creditLimit: { start: ADMINS, decide: ADMINS },
  rateChange: { start: ADMINS, decide: ADMINS },
  // Who earns on a supplier's turnover.
  supplierAgent: { start: ADMINS, decide: ADMINS },
  gatewayCredentials: { start: [...ADMINS, 'supplier'], decide: ADMINS },
  // Which messages of an account's bank complete orders though they state no balance.
  balanceMode: { start: ADMINS, decide: ADMINS },
  chainPatch: { start: ['superAdmin'], decide: ADMINS },
  usdtRelease: { start: ADMINS, decide: ADMINS },
  // Those who write scripts; an admin may have an interest in what an account's script does, and reads no code.
  payScriptRelease: { start: SCRIPTERS, decide: SCRIPTERS },
  monitorScriptRelease: { start: SCRIPTERS, decide: SCRIPTERS },
  // A template, or a sender taken as a bank's: what it reads is money.
  messageReading: { start: ['superAdmin'], decide: ADMINS },
  settledOutside: { start: DESK, decide: ADMINS },
  offsetCorrection: { start: DESK, decide: ADMINS },
  earlySettlement: { start: ADMINS, decide: ADMINS },
  // A shorter one.
  settlementTerm: { start: ADMINS, decide: ADMINS },
  settingChange: { start: ['superAdmin'], decide: ADMINS },
  // Where payers of a product are sent to pay.
  payAddress: { start: ['superAdmin'], decide: ADMINS },
  // Given in a group of the party's. Who decides it asks for the withdrawal, which somebody else decides.
  transferInstruction: { start: ['merchant', 'supplier'], decide: ADMINS },
  heldRelease: { start: ['superAdmin'], decide: ADMINS },
  ipRuleChange: { start: ['superAdmin'], decide: ADMINS },
  botGroup: { start: ['superAdmin'], decide: ADMINS },
  personalExport: { start: DESK, decide: ADMINS },
  archiveRestore: { start: ['superAdmin'], decide: ADMINS },
  accessReview: { start: ['superAdmin'], decide: ['superAdmin'] },
  // What opens an account; who may not manage the user's role is refused when it is carried out.
  // Owners of a merchant or supplier ask for its further users.
  userAccess: { start: [...ADMINS, 'merchant', 'supplier'], decide: ADMINS },
  nameListChange: { start: ['superAdmin'], decide: ADMINS },
};

/** Roles that may start (or decide) at least one kind. */
export function approvalRoles(part: keyof ApprovalRule): readonly Role[] {
  return ROLES.filter((role) => APPROVAL_KINDS.some((kind) => APPROVAL_RULES[kind][part].includes(role)));
}

/** The kinds a role may start (or decide). */
export function approvalKindsOf(role: Role, part: keyof ApprovalRule): ApprovalKind[] {
  return APPROVAL_KINDS.filter((kind) => APPROVAL_RULES[kind][part].includes(role));
}

const unit = (currency: Currency) => 10n ** BigInt(CURRENCIES[currency]);

/**
 * A supplement of at least so much (minor units) waits for approval though a message bears it out, unless a superAdmin makes it; 0n =
 * never. The settings table has no setting for it: this is the one place. Without a message UnprovenDayLimit counts.
 */
export const SUPPLEMENT_APPROVAL_FROM: Readonly<Record<Currency, bigint>> = {
  INR: 200_000n * unit('INR'),
  KES: 200_000n * unit('KES'),
  USDT: 2_500n * unit('USDT'),
};
