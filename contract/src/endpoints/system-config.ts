import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, listOf, paging, time } from '../fields.ts';
import { PREVIEW_LINES } from '../setting-previews.ts';
import { SETTING_GROUPS, SETTING_NAMES } from '../settings.ts';

const name = z.enum(SETTING_NAMES);

export const getSettings = endpoint({
  method: 'GET',
  path: '/v1.0/system-config/getList',
  summary:
    'All settings: value, default, range, who changed it last, and whether a change waits for a second person',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        name,
        group: z.enum(SETTING_GROUPS),
        kind: z.enum(['flag', 'value']),
        value: z.unknown(),
        fallback: z.unknown(),
        range: z.string(),
        /** Only a part of its value is shown. */
        secret: z.boolean(),
        /** A change that weakens a protection waits for a second person. */
        guarded: z.boolean(),
        changeTime: time.nullable(),
        changedBy: z.string().nullable(),
        /** The waiting request, if there is one. */
        pending: z.object({ todoId: id, value: z.unknown(), startedBy: z.string() }).nullable(),
      }),
    ),
  }),
});

export const getSettingHistory = endpoint({
  method: 'GET',
  path: '/v1.0/system-config/getHistory',
  summary: 'The changes of one setting, newest first',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({ ...paging, name }),
  output: listOf(
    z.object({
      id,
      time,
      account: z.string().nullable(),
      before: z.unknown(),
      after: z.unknown(),
      /** The user who asked for it, where a second person approved it. */
      startedBy: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

export const previewSetting = endpoint({
  method: 'GET',
  path: '/v1.0/system-config/preview',
  summary:
    'What a value would have done to the last seven days, counted from their rows, with the orders behind each number',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({
    name,
    /** The value, as JSON. */
    value: z.string().max(4000),
  }),
  output: z.object({
    from: time,
    to: time,
    /** Empty: past orders cannot show anything about this change. */
    lines: z.array(
      z.object({
        key: z.enum(PREVIEW_LINES),
        count: z.int(),
        /** The newest of the orders. */
        orders: z.array(id),
      }),
    ),
  }),
});
