import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, text, time } from '../fields.ts';
import { ROLES } from '../roles.ts';

/** What every list screen has: exports, saved views, and the user's last choice. */

/** JSON in a query: a list's filters and columns are too many to be single fields. */
function json<Schema extends z.ZodType>(schema: Schema, max: number) {
  return z
    .string()
    .max(max)
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: 'custom', message: 'JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

const exportColumn = z.object({
  /** A field of the list's rows, or a field within a field: `patch.author`. */
  field: text(64),
  /** Heading in the file; default: the field's name. */
  title: z.string().trim().max(128).optional(),
  /** Text in place of a value, such as words for status ids. */
  words: z.record(z.string().max(64), z.string().max(128)).optional(),
});
export type ExportColumn = z.infer<typeof exportColumn>;

export const exportList = endpoint({
  method: 'GET',
  path: '/v1.0/list/export',
  summary:
    'Every row of a list that matches the filters, as CSV or XLSX: masked by role as the list is, money in decimals with its currency, times in ISO 8601, texts that a spreadsheet would run as a formula made harmless; in CSV digits that it would round stand as ="…"',
  access: 'anyUser',
  csv: true,
  input: z.object({
    format: z.enum(['csv', 'xlsx']).default('csv'),
    /** Path of the list call, such as /v1.0/order/getList. */
    list: text(128),
    /** The list's own filters, as JSON; paging is ignored. */
    filters: json(z.record(z.string(), z.unknown()), 8_000).optional(),
    /** The chosen columns in order, as JSON; default: every field of the row. */
    columns: json(z.array(exportColumn).min(1).max(100), 16_000).optional(),
  }),
  output: z.string(),
});

/** The list that a view belongs to. Screens of one area share a list, so that roles can share views. */
const list = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9./-]{1,64}$/, { abort: true });

/** How a list is shown. What is left out has the list's default. */
const arrangement = z.object({
  /** Keys of the shown columns, in order. */
  columns: z.array(text(64)).max(100).optional(),
  /** Pixels of a column's content, by its key; a column that is left out is as wide as its content. */
  widths: z.record(text(64), z.int().min(16).max(2_000)).optional(),
  /** Keys of the columns that stay visible when the list is scrolled sideways. */
  pinned: z.array(text(64)).max(20).optional(),
  density: z.enum(['small', 'middle']).optional(),
  pageSize: z.int().min(1).max(500).optional(),
});
export type Arrangement = z.infer<typeof arrangement>;

/** Filter name → text, as in the screen's address. */
const filters = z
  .record(text(64), z.string().max(256))
  .refine((given) => Object.keys(given).length <= 40, '≤ 40');

export const getListViews = endpoint({
  method: 'GET',
  path: '/v1.0/listView/getViews',
  summary: "The viewer's saved views, those shared with its role, and how it last arranged each list",
  access: 'anyUser',
  input: z.object({ list: list.optional() }),
  output: z.object({
    views: z.array(
      z.object({
        id,
        list: z.string(),
        name: z.string(),
        filters,
        arrangement,
        mine: z.boolean(),
        ownerName: z.string(),
        sharedRoles: z.array(z.enum(ROLES)),
        updateTime: time,
      }),
    ),
    choices: z.array(z.object({ list: z.string(), arrangement, defaultViewId: id.nullable() })),
  }),
});

export const saveListView = endpoint({
  method: 'POST',
  path: '/v1.0/listView/save',
  summary: 'Keep a view, or change an own one (id given); staff may share it with roles of the staff',
  access: 'anyUser',
  input: z.object({
    id: id.optional(),
    list,
    name: text(64),
    filters,
    arrangement,
    sharedRoles: z.array(z.enum(ROLES)).max(ROLES.length).default([]),
  }),
  output: z.object({ id }),
});

export const deleteListView = endpoint({
  method: 'POST',
  path: '/v1.0/listView/delete',
  summary: 'Delete an own view',
  access: 'anyUser',
  input: z.object({ id }),
  output: z.object({ id }),
});

export const chooseForList = endpoint({
  method: 'POST',
  path: '/v1.0/listView/choose',
  summary: 'Remember how the viewer arranged a list, and which view it opens with',
  access: 'anyUser',
  input: z.object({ list, arrangement, defaultViewId: id.nullable().default(null) }),
  output: z.object({ list: z.string() }),
});
