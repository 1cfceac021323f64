import styles from '../appearance/notice.module.css';

export function LoadingBar() {
  return <div className={styles['loadingBar']} aria-hidden />;
}
