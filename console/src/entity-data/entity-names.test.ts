import { ARCHIVE_TABLES } from '@sangam/contract/archive.ts';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import texts from '../locales/en-US.json' with { type: 'json' };

/** The table of each kind of entity (server, backoffice/entity/kinds.ts), and the tables of the archive. */
const TABLES = new Set([
  ...ARCHIVE_TABLES,
  'collection_orders',
  'payout_orders',
  'merchants',
  'suppliers',
  'accounts',
  'monitors',
  'messages',
  'chain_nodes',
  'postings',
  'callbacks',
  'approvals',
  'payout_batches',
  'users',
]);

/** Columns that the server never sends (kinds.ts), and the file of a batch, which its statement leaves out. */
const UNSENT = /secret|password|token|hash|sealed|credentials|totp|sha256|^bytes$|^file$/;

const schema = readFileSync(
  new URL('../../../server/migrations/generated/schema.sql', import.meta.url),
  'utf8',
);

test.each([...TABLES])('every column of %s that the entity view or the archive shows has a name', (table) => {
  const body =
    new RegExp(`CREATE TABLE (?:public\\.)?${table} \\(\n([\\s\\S]*?)\n\\)`).exec(schema)?.[1] ?? '';
  const columns = [...body.matchAll(/^ {2,4}([a-z]\w*) /gm)].map(([, column]) => column!);
  expect(columns).toContain('id');
  const nameless = columns.filter((column) => !UNSENT.test(column) && !(column in texts.entityFields));
  expect(nameless).toEqual([]);
});
