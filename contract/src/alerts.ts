import { ADMINS, type Role, STAFF } from './roles.ts';

/** Most urgent first. Critical alerts are also sent to the message centre of everybody who sees them. */
export const SEVERITIES = ['critical', 'warning', 'notice'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What an alert is about, and the console's screen for it or for its variants. With `opens`, the subject is the id of a row there. */
export const ALERT_SUBJECTS = {
  monitor: { path: '/setting/monitorScriptInfo', opens: false },
  supplier: { path: '/supplier/list', opens: true },
  merchant: { path: '/merchants/list', opens: true },
  account: { path: '/internationalCardToCard/list-admin', opens: true },
  chain: { path: '/securityNodes/security-patch-list', opens: false },
  gatewayAccount: { path: '/razorpayPayProxy/list-admin', opens: true },
  approval: { path: '/todo/mine', opens: true },
  accessReview: { path: '/setting/accessReview', opens: false },
  product: { path: '/order/list', opens: false },
  check: { path: '/fundRecord/verify', opens: false },
  name: { path: '/systemManager/nameBlackList', opens: false },
  audit: { path: '/auditRecord/auditRecord', opens: false },
  archive: { path: '/orderClearHistory', opens: false },
  system: { path: '/systemConfig-admin', opens: false },
} as const;
type AlertSubject = keyof typeof ALERT_SUBJECTS;

interface AlertRule {
  readonly severity: Severity;
  /** Staff who see the alert and may acknowledge it. */
  readonly roles: readonly Role[];
  readonly subject: AlertSubject;
  /** Fields of its texts, in addition to `subject`. */
  readonly data: readonly string[];
}

function alert<const Field extends string>(
  severity: Severity,
  roles: readonly Role[],
  subject: AlertSubject,
  data: readonly Field[] = [],
) {
  return { severity, roles, subject, data } satisfies AlertRule;
}

const DESK: readonly Role[] = ['superAdmin', 'admin', 'customerService'];
const TECHNICAL: readonly Role[] = ['superAdmin', 'technicalMaintenance', 'technicalSupport'];
const BOOKS: readonly Role[] = [...ADMINS, 'technicalMaintenance'];

/**
 * The one list of alerts. A new kind is a line here, its name in locales/*.json under `alertKinds` and its text under `alerts`.
 * Each subject has at most one open alert of a kind (server/src/alerts).
 */
export const ALERTS = {
  monitorOffline: alert('warning', STAFF, 'monitor', ['name', 'since']),
  lowDeposit: alert('warning', DESK, 'supplier', ['name', 'balance']),
  payeesSeen: alert('warning', DESK, 'supplier', ['name', 'count']),
  valuesRevealed: alert('warning', ADMINS, 'audit', ['name', 'count']),
  unmatchedCredit: alert('warning', DESK, 'account', ['account', 'count', 'amount']),
  callbackFailing: alert('warning', STAFF, 'merchant', ['name', 'count']),
  chainSuspect: alert('critical', ADMINS, 'chain', ['account', 'count']),
  approvalWaiting: alert('warning', ADMINS, 'approval', ['request', 'since']),
  successRateFall: alert('critical', STAFF, 'product', ['name', 'rate', 'usual']),
  timeToPayDoubled: alert('warning', STAFF, 'product', ['name', 'minutes', 'usual']),
  accountAlone: alert('warning', DESK, 'account', ['account', 'rate', 'usual']),
  gatewayBalanceLow: alert('critical', ADMINS, 'gatewayAccount', ['account', 'balance', 'waiting']),
  nameHit: alert('warning', DESK, 'name', ['name', 'list']),
  verifyFailed: alert('critical', BOOKS, 'check', ['check']),
  verifyUnfinished: alert('warning', BOOKS, 'check', ['check']),
  databaseSlow: alert('warning', TECHNICAL, 'system', ['milliseconds']),
  longTransaction: alert('warning', TECHNICAL, 'system', ['application', 'seconds']),
  diskFull: alert('critical', TECHNICAL, 'system', ['node', 'percent']),
  clockSkew: alert('warning', TECHNICAL, 'system', ['node', 'seconds']),
  partitionsMissing: alert('critical', TECHNICAL, 'system', ['table']),
  archiveFailed: alert('critical', TECHNICAL, 'archive', ['detail']),
  /** An open review has users without a verdict, or waits for its signature. */
  accessReviewOpen: alert('notice', ['superAdmin'], 'accessReview', ['since', 'count']),
  /** The newest block of the sealed audit, sent once a day so that a copy exists outside. */
  auditBlock: alert('notice', BOOKS, 'audit', ['block', 'hash']),
  auditUnsealed: alert('critical', BOOKS, 'audit', ['since']),
  auditChainBroken: alert('critical', BOOKS, 'audit', ['sealed', 'row', 'fault']),
  backupOld: alert('critical', TECHNICAL, 'system', ['hours']),
} as const satisfies Record<string, AlertRule>;

/** What a rate can be about. */
const RATE_KINDS = ['product', 'bank', 'merchant', 'account'] as const;
export type RateKind = (typeof RATE_KINDS)[number];

/** The subject of an alert about a rate: `merchant 7 INR`. */
export function rateSubject(kind: RateKind, id: string | number | bigint, currency: string): string {
  return `${kind} ${id} ${currency}`;
}

/** The parts of a rate's subject; undefined for any other subject. Names of banks may have spaces. */
export function rateKeyOf(
  subject: string,
): { readonly kind: RateKind; readonly id: string; readonly currency: string } | undefined {
  const [, kind, id, currency] = /^(\w+) (.+) (\w+)$/.exec(subject) ?? [];
  const known = RATE_KINDS.find((each) => each === kind);
  return known && { kind: known, id: id!, currency: currency! };
}

export type AlertKind = keyof typeof ALERTS;
export const ALERT_KINDS = Object.keys(ALERTS) as [AlertKind, ...AlertKind[]];

/** The values of the fields in an alert's text. */
export type AlertData<Kind extends AlertKind> = Readonly<
  Record<(typeof ALERTS)[Kind]['data'][number], string | number>
>;

/** Kinds of alerts that this role sees. None for merchants and suppliers, who get messages about their own matters. */
export function alertKindsOf(role: Role): readonly AlertKind[] {
  return ALERT_KINDS.filter((kind) => (ALERTS[kind].roles as readonly Role[]).includes(role));
}
