/** What the role matrix shows: screens, actions on orders, requests for a second person, and calls. */
export const MATRIX_KINDS = ['screen', 'action', 'request', 'call'] as const;
export type MatrixKind = (typeof MATRIX_KINDS)[number];

/** 'reads': the role sees the screen and can change nothing on it. */
export const MATRIX_CELLS = ['yes', 'reads', 'no'] as const;
export type MatrixCell = (typeof MATRIX_CELLS)[number];
