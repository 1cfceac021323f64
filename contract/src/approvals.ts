import { CURRENCIES, type Currency } from './money.ts';
import { ADMINS, ROLES, type Role } from './roles.ts';

/** Kinds of requests for a second person. A new kind is a line here, one line in the rules and one object on the server. */
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
  /** Never the user who started it, whatever the role; the database enforces that too. */
  readonly decide: readonly Role[];
}

const SCRIPTERS: readonly Role[] = ['superAdmin', 'technicalSupport'];
const DESK: readonly Role[] = ['superAdmin', 'admin', 'customerService'];

/** Who may start each kind, and who may decide it. Merchants and suppliers start requests about themselves only (scope). */
export const APPROVAL_RULES: Readonly<Record<ApprovalKind, ApprovalRule>> = {
  balanceAdjustment: { start: ADMINS, decide: ADMINS },
  clearBalance: { start: ADMINS, decide: ADMINS },
  // Two admins cannot reverse together.
  reversal: { start: ADMINS, decide: ['superAdmin'] },
  supplementAbove: { start: [...DESK, 'supplier'], decide: ADMINS },
  // A supplier asks to hand back a payout that may have been paid.
  unprovenPayout: { start: [...DESK, 'supplier'], decide: ADMINS },
  resultFile: { start: DESK, decide: ADMINS },
  // Says that an exported file never went to the bank.
  batchCancel: { start: DESK, decide: ADMINS },
  // The format decides whom a bank's file pays, so only those who may read it decide.
  payoutTemplate: { start: ['superAdmin'], decide: ['superAdmin'] },
  merchantAccess: { start: ADMINS, decide: ADMINS },
  // A merchant asks from which addresses its calls and users may come.
  ownAddresses: { start: ['merchant'], decide: ADMINS },
  // Where a merchant withdraws to: its own account, agreed to by somebody who has checked the owner.
  beneficiary: { start: ['merchant'], decide: ADMINS },
  topUp: { start: [...DESK, 'supplier'], decide: ADMINS },
  withdrawal: { start: [...DESK, 'supplier', 'merchant'], decide: ADMINS },
  creditLimit: { start: ADMINS, decide: ADMINS },
  rateChange: { start: ADMINS, decide: ADMINS },
  // The agent earns on the supplier's turnover.
  supplierAgent: { start: ADMINS, decide: ADMINS },
  gatewayCredentials: { start: [...ADMINS, 'supplier'], decide: ADMINS },
  // Which messages of an account's bank complete orders although they state no balance.
  balanceMode: { start: ADMINS, decide: ADMINS },
  chainPatch: { start: ['superAdmin'], decide: ADMINS },
  usdtRelease: { start: ADMINS, decide: ADMINS },
  // Only roles that write scripts: an admin may profit from what an account's script does, and does not read code.
  payScriptRelease: { start: SCRIPTERS, decide: SCRIPTERS },
  monitorScriptRelease: { start: SCRIPTERS, decide: SCRIPTERS },
  // A template, or a sender accepted as a bank's: what it reads counts as money.
  messageReading: { start: ['superAdmin'], decide: ADMINS },
  settledOutside: { start: DESK, decide: ADMINS },
  offsetCorrection: { start: DESK, decide: ADMINS },
  earlySettlement: { start: ADMINS, decide: ADMINS },
  // Only a shorter term.
  settlementTerm: { start: ADMINS, decide: ADMINS },
  settingChange: { start: ['superAdmin'], decide: ADMINS },
  // Where payers of a product are sent to pay.
  payAddress: { start: ['superAdmin'], decide: ADMINS },
  // Given in a group of the party. Whoever decides it starts the withdrawal, which somebody else decides.
  transferInstruction: { start: ['merchant', 'supplier'], decide: ADMINS },
  heldRelease: { start: ['superAdmin'], decide: ADMINS },
  ipRuleChange: { start: ['superAdmin'], decide: ADMINS },
  botGroup: { start: ['superAdmin'], decide: ADMINS },
  personalExport: { start: DESK, decide: ADMINS },
  archiveRestore: { start: ['superAdmin'], decide: ADMINS },
  accessReview: { start: ['superAdmin'], decide: ['superAdmin'] },
  // Changes that open an account to somebody. When the request is executed, a decider who may not manage the user's role is
  // refused.
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
 * A supplement of at least this amount (minor units) waits for approval even with a message, unless a superAdmin makes it; 0n =
 * never. No setting holds this limit: this is the only place. Without a message UnprovenDayLimit applies.
 */
export const SUPPLEMENT_APPROVAL_FROM: Readonly<Record<Currency, bigint>> = {
  INR: 200_000n * unit('INR'),
  KES: 200_000n * unit('KES'),
  USDT: 2_500n * unit('USDT'),
};
