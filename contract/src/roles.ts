/** The seven roles. Users, screens, endpoints and actions all use this list. */
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

/** Roles that see the rows of every merchant and supplier. Suppliers and merchants see only their own. */
export const STAFF: readonly Role[] = [
  'superAdmin',
  'admin',
  'customerService',
  'technicalMaintenance',
  'technicalSupport',
];

export const ADMINS: readonly Role[] = ['superAdmin', 'admin'];
