import type { MessageTemplate } from '../template.ts';
import { accountShapes } from './account-shapes.ts';
import { bankTemplates } from './banks.ts';
import { cardShapes } from './card-shapes.ts';
import { guardTemplates } from './guards.ts';
import { mpesaTemplates } from './mpesa.ts';
import { otherAccountGuards } from './other-accounts.ts';
import { plainShapes } from './plain-shapes.ts';
import { specialShapes } from './special-shapes.ts';
import { talkGuards } from './talk.ts';

/** The set a new installation starts with: plain JSON, to be stored and edited. */
export const defaultTemplates: readonly MessageTemplate[] = [
  ...guardTemplates,
  ...talkGuards,
  ...otherAccountGuards,
  ...bankTemplates,
  ...accountShapes,
  ...specialShapes,
  ...cardShapes,
  ...plainShapes,
  ...mpesaTemplates,
];
