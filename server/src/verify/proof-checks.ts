import type { Check } from './check.ts';

export const PROOF_CHECKS: readonly Check[] = [];
