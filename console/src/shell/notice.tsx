import { Button } from 'antd';
import styles from '../appearance/notice.module.css';

interface NoticeProps {
  readonly code?: string;
  readonly heading: string;
  readonly text: string;
  readonly action: string;
  readonly onAction: () => void;
}

/** A page that consists of one message. */
export function Notice({ code, heading, text, action, onAction }: NoticeProps) {
  return (
    <div className={styles['notice']} role="alert">
      {code && <span className={styles['noticeCode']}>{code}</span>}
      <h1>{heading}</h1>
      <p>{text}</p>
      <Button type="primary" onClick={onAction}>
        {action}
      </Button>
    </div>
  );
}
