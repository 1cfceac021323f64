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

/** Nobody corrects more rows than this by hand. */
const MOST_SHOWN = 100;

/** 1303: refuses the whole file. The answer lists the first rows with their problems, in the caller's language, and the number of the rest. */
export function refuseFile(problems: readonly Problem[], locale: Locale): Refusal {
  const texts = TEXTS[locale].fileProblems;
  const shown = problems.slice(0, MOST_SHOWN);
  const rest = problems.length - shown.length;
  if (rest > 0) shown.push(problem(0, 'moreProblems', String(rest)));
  const rows = shown.map(({ row, problem: name, detail }) => ({
    row,
    problem: texts[name].replace('{{detail}}', () => detail),
  }));
  return refuse('fileNotUnderstood', {}, { rows });
}
