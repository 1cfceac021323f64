import type { FilterField } from '../operator-table/list-definition.ts';

/** A filter with a few fixed values. */
export function choiceOf<Name extends string>(
  field: Pick<FilterField<Name>, 'name' | 'param' | 'label'>,
  values: readonly (readonly [value: string, label: string])[],
): FilterField<Name> {
  return {
    ...field,
    kind: 'choice',
    values: values.map(([value]) => value),
    options: values.map(([value, label]) => ({ value, label })),
  };
}
