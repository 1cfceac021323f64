import { Copyable } from '../figures/copyable.tsx';
import type { Todo } from './todo.ts';

/** The order, merchant or supplier a request is about. */
export function TodoSubject({ todo }: { readonly todo: Todo }) {
  if (todo.subjectKind === 'order') return <Copyable text={todo.subjectId} limit={24} />;
  return <>{todo.subjectName ?? todo.subjectId}</>;
}
