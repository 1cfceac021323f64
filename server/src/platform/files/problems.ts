import type { Locale } from '@sangam/contract/locale.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { TEXTS } from '../texts.ts';

export type ProblemName = keyof (typeof TEXTS)['en-US']['fileProblems'];

/** What is wrong with one row of a file. Row 0 means the whole file. */
export interface Problem {
  readonly row: number;
  readonly problem: ProblemName;
  readonly detail: string;
}

export function problem(row: number, name: ProblemName, detail = ''): Problem {
  return { row, problem: name, detail };
}

export function isProblem(each: object): each is Problem {
  return 'problem' in each;
}

/** 1303: refuses the whole file. The answer lists each row and its problem in the caller's language. */
export function refuseFile(problems: readonly Problem[], locale: Locale): Refusal {
  const texts = TEXTS[locale].fileProblems;
  const rows = problems.map(({ row, problem: name, detail }) => ({
    row,
    problem: texts[name].replace('{{detail}}', detail),
  }));
  return refuse('fileNotUnderstood', {}, { rows });
}
