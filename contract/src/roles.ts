/** The seven roles. One list: users, screens, endpoints and actions all name these. */
export const ROLES = [
  'superAdmin',
  'admin',
  'customerService',
  'technicalMaintenance',
  'technicalSupport',
  'supplier',
  'merchant',
] as const;

export type Role = (typeof ROLES)[number];

/** Sees every merchant's and supplier's rows. Suppliers and merchants see only their own. */
export const STAFF: readonly Role[] = [
  'superAdmin',
  'admin',
  'customerService',
  'technicalMaintenance',
  'technicalSupport',
];

export const ADMINS: readonly Role[] = ['superAdmin', 'admin'];
