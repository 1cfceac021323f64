import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, listOf, paging, text } from '../fields.ts';
import { CHANNELS } from '../products.ts';

/** Products: the ways to pay that terms are made for. */

/** An address with a placeholder for the order. */
const payUrlTemplate = z
  .string()
  .trim()
  .max(512)
  .refine(
    (template) =>
      template === '' ||
      (/^https?:\/\/[^{}]+\//.test(template) &&
        /\{(?:token|orderCode)\}/.test(template) &&
        URL.canParse(template)),
    'https://…/{token}',
  );
const floatSteps = z.int().min(0).max(9999);

export const getProductList = endpoint({
  method: 'GET',
  path: '/v1.0/product/getList',
  summary: 'The products of this installation',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({ ...paging }),
  output: listOf(
    z.object({
      id: z.int(),
      name: z.string(),
      direction: z.enum(['in', 'out']),
      currency,
      channel: z.enum(CHANNELS),
      enabled: z.boolean(),
      floatSteps,
      payUrlTemplate: z.string().nullable(),
    }),
  ),
});

export const updateProduct = endpoint({
  method: 'POST',
  path: '/v1.0/product/update',
  summary: 'Change a product; what is left out stays',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({
    id: z.int(),
    name: text(64).optional(),
    enabled: z.boolean().optional(),
    /** By how many of the product's steps payable amounts may float upwards. */
    floatSteps: floatSteps.optional(),
    /** Used while IsNewPayUrl is off; empty: our own page. */
    payUrlTemplate: payUrlTemplate.optional(),
  }),
  output: z.object({}),
});
