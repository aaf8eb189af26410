import { useEffect, useState } from "react";
import { useAnnouncements } from "../../app/announcer.js";
import styles from "./announcements.module.css";

/** How long a message can be seen. */
const SHOWN_MS = 4000;

/** What has happened: read out by a screen reader, and at the foot of the page where it is to be seen as well. */
export function Announcements() {
  const announcements = useAnnouncements();
  const latest = announcements.findLast(({ shown }) => shown)?.id;
  const [over, setOver] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setOver(latest), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return (
    <div role="status" aria-atomic="false">
      {announcements.map(({ id, text }) => (
        <p key={id} className={id === latest && id !== over ? styles.shown : "visually-hidden"}>
          {text}
        </p>
      ))}
    </div>
  );
}
