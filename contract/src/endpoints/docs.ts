import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const getDocument = endpoint({
  method: 'GET',
  path: '/v1.0/docs/getDocument',
  summary: 'OpenAPI 3.1 of every call; the part of merchants is public at /docs/openapi.json',
  access: ['superAdmin', 'technicalSupport', 'technicalMaintenance'],
  input: z.object({}),
  output: z.record(z.string(), z.unknown()),
});
