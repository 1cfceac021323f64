import { useIsFetching } from '@tanstack/react-query';
import { LoadingBar } from './loading-bar.tsx';

/** Shows while something loads for the first time. Background polls do not count. */
export function FetchingBar() {
  const first = useIsFetching({ predicate: (query) => query.state.data === undefined });
  return first > 0 ? <LoadingBar /> : null;
}
