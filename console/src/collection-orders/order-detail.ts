import type { z } from 'zod';
import type { getDetail } from '@sangam/contract/endpoints/order.ts';

export type OrderDetail = z.infer<(typeof getDetail)['output']>;
