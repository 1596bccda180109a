//! The date, in the one place that asks for it.

use std::env;
use std::time::{Duration, SystemTime};

/// The variable that builds with the same result each time set: seconds since 1970.
const FIXED: &str = "SOURCE_DATE_EPOCH";

/// The seconds from 1970 to the end of the year 9999.
const LAST: u64 = 253_402_300_799;

/// The present date and time, or those that `SOURCE_DATE_EPOCH` fixes, in the form of RFC 9110:
/// `Sun, 06 Nov 1994 08:49:37 GMT`.
pub fn date() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = since.map_or(0, |since| since.as_secs());
    let fixed = env::var(FIXED).ok();
    written(seconds(fixed.as_deref(), now))
}

/// The day of that date, as pages for `man` write it: `1994-11-06`.
pub fn day() -> String {
    day_of(&date())
}

/// The day of a date in the form of RFC 9110.
fn day_of(date: &str) -> String {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let words: Vec<&str> = date.split(' ').collect();
    let [_, day, month, year, ..] = words[..] else {
        return String::new();
    };
    let month = MONTHS.find(month).map_or(0, |place| place / 3 + 1);
    format!("{year}-{month:02}-{day}")
}

/// The seconds that `fixed` says, if these are a date, or `now`.
fn seconds(fixed: Option<&str>, now: u64) -> u64 {
    fixed.and_then(|fixed| fixed.parse().ok()).unwrap_or(now)
}

fn written(seconds: u64) -> String {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.min(LAST));
    httpdate::fmt_http_date(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_can_be_fixed() {
        let of = |fixed| written(seconds(fixed, 0));
        assert_eq!(of(Some("784111777")), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(day_of(&of(Some("784111777"))), "1994-11-06");
        assert_eq!(day_of(&of(Some("951782400"))), "2000-02-29");
        // What is no date is not taken for one, and nothing is too late.
        for no_date in [None, Some("yesterday"), Some("-1")] {
            assert_eq!(of(no_date), "Thu, 01 Jan 1970 00:00:00 GMT");
        }
        assert_eq!(
            of(Some("18446744073709551615")),
            "Fri, 31 Dec 9999 23:59:59 GMT"
        );
    }
}
