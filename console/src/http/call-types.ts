import type { Call } from 'virtual:endpoints';

/** Input of a call. */
export type InputOf<Definition> = Definition extends Call<infer Input, unknown> ? Input : never;

/** Row of a list call. */
export type RowOf<Definition> = Definition extends Call<infer _, { list: (infer Row)[] }> ? Row : never;

/** Answer of a call. */
export type OutputOf<Definition> = Definition extends Call<infer _, infer Output> ? Output : never;
