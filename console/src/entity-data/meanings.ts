import type { EntityKind } from '@sangam/contract/entity.ts';
import type { NameGroup, Names } from '../language/names.ts';

/** Columns whose values are keys, and the group that names these keys. */
const GROUPS: Readonly<Partial<Record<EntityKind, Readonly<Record<string, NameGroup>>>>> = {
  collectionOrder: { status: 'collectionStatus', mark: 'orderMark', product_id: 'products' },
  payoutOrder: { status: 'payoutStatus', mark: 'orderMark', product_id: 'products' },
  account: { balance_mode: 'balanceModes', direction: 'accountDirections', kind: 'accountKinds' },
  message: { state: 'messageStates', direction: 'directions' },
  chainNode: { state: 'chainNodeStates' },
  posting: { kind: 'postingKinds' },
  callback: { kind: 'callbackKinds' },
  approval: { kind: 'approvalKinds', status: 'approvalStatus' },
  payoutBatch: { status: 'batchStatus' },
  user: { role: 'roles' },
};

/** What a column's value means, in the reader's language; the value itself where it says so already. */
export function meaningOf(name: Names, kind: EntityKind, field: string, value: string): string {
  if (value === 'true') return '✓';
  if (value === 'false') return '✗';
  const group = GROUPS[kind]?.[field];
  return group ? name(group, value) : value;
}

/** A column that holds a record or a list, read; undefined for any other text. Ids stand in it as text, so no digit is lost. */
export function jsonOf(value: string): unknown {
  if (!/^[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}
