import styles from './shell.module.css';

export function LoadingBar() {
  return <div className={styles['loadingBar']} aria-hidden />;
}
