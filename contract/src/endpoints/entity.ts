import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { ENTITY_KINDS } from '../entity.ts';
import { id, text, time, timeFilter } from '../fields.ts';

const kind = z.enum(ENTITY_KINDS);

export const getEntity = endpoint({
  method: 'GET',
  path: '/v1.0/entity/get',
  summary:
    'Any entity by kind and id: its fields, masked by role, its history, its audit entries and what it is related to, now or as it was',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({ kind, id: text(19).pipe(id), at: timeFilter }),
  output: z.object({
    kind,
    id,
    /** The time of the state that is shown; null: now. */
    at: time.nullable(),
    /** An order that is only in the archive. */
    isArchived: z.boolean(),
    fields: z.array(
      z.object({
        name: z.string(),
        /** As text; null where there is no value. */
        value: z.string().nullable(),
        /** The value of that time differs from the present one. */
        differs: z.boolean(),
      }),
    ),
    relations: z.array(z.object({ kind, ids: z.array(id) })),
    history: z.array(
      z.object({
        id,
        time,
        kind: z.string(),
        fromStatus: z.int().nullable(),
        toStatus: z.int().nullable(),
        actorKind: z.string(),
        /** A user's account, or the name of a merchant or monitor. */
        actor: z.string().nullable(),
        reason: z.string().nullable(),
        data: z.unknown(),
      }),
    ),
    audit: z.array(
      z.object({
        id,
        time,
        account: z.string().nullable(),
        action: z.string(),
        /** The entity, or what belongs to it alone: a callback of an order, a request about it. */
        subject: z.string(),
        before: z.unknown(),
        after: z.unknown(),
        reason: z.string().nullable(),
      }),
    ),
  }),
});
