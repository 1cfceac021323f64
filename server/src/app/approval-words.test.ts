import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { APPROVAL_HANDLERS } from './approval-kinds.ts';

/** Fields of a request's outcome, in addition to the fields asked for. */
const OUTCOMES = ['orderStatusId', 'patchId', 'monitors', 'status', 'before', 'after', 'confirmed'];
/** A message template and its previous version. A component of its own draws their parts. */
const DRAWN = 'template';

test('whatever a request that waits for a second person carries has a name in the console', async () => {
  const locale = new URL('../../../console/src/locales/en-US.json', import.meta.url);
  const { approvalFields } = JSON.parse(await readFile(locale, 'utf8')) as { approvalFields: object };
  const carried = Object.values(APPROVAL_HANDLERS).flatMap(({ payload }) => fieldsOf(payload));
  expect(carried.length).toBeGreaterThan(100);
  // A field that ends in 'Before' is shown beside the field whose old value it is.
  const shown = [...carried, ...OUTCOMES].filter((field) => !field.endsWith('Before'));
  const nameless = new Set(shown.filter((field) => !(field in approvalFields)));
  expect([...nameless].toSorted()).toEqual([]);
});

/** The fields of a schema and of the schemas inside it. */
function fieldsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, part]) =>
      name.startsWith(DRAWN) ? [name] : [name, ...fieldsOf(part)],
    );
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldsOf);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element);
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return fieldsOf(schema.unwrap());
  return [];
}
