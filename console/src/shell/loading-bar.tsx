import { useIsFetching } from '@tanstack/react-query';
import styles from './shell.module.css';

export function LoadingBar() {
  return <div className={styles['loadingBar']} aria-hidden />;
}

/** Shows while something is being loaded for the first time; polls in the background do not count. */
export function FetchingBar() {
  const first = useIsFetching({ predicate: (query) => query.state.data === undefined });
  return first > 0 ? <LoadingBar /> : null;
}
