//! Dates as files write them, as milliseconds since 1970.

/// `2024`, `2024-05`, `2024-05-17`, with ` 12:34`, `T12:34:56`, fractions of a second and a final `Z`. `None` for
/// everything else, among it days that no month has.
#[must_use]
pub fn milliseconds(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = parts.next().map_or(Some(1), |p| digits(p, 2))?;
    let day = parts.next().map_or(Some(1), |p| digits(p, 2))?;
    if parts.next().is_some()
        || !(1..=12).contains(&month)
        || !(1..=length(year, month)).contains(&day)
    {
        return None;
    }
    let within = time.map_or(Some(0.0), within_day)?;
    #[expect(
        clippy::cast_precision_loss,
        reason = "at most four digits of years in days"
    )]
    let days = days_before(year, month, day) as f64;
    Some(days * 86_400_000.0 + within)
}

fn within_day(time: &str) -> Option<f64> {
    let time = time.strip_suffix('Z').unwrap_or(time);
    let mut parts = time.split(':');
    let hour = digits(parts.next()?, 2).filter(|h| *h < 24)?;
    let minute = digits(parts.next()?, 2).filter(|m| *m < 60)?;
    let seconds = match parts.next() {
        None => 0.0,
        Some(text) if text.bytes().all(|b| b.is_ascii_digit() || b == b'.') => {
            text.parse::<f64>().ok().filter(|s| *s < 61.0)?
        }
        Some(_) => return None,
    };
    #[expect(clippy::cast_precision_loss, reason = "below 1440")]
    let minutes = (hour * 60 + minute) as f64;
    parts
        .next()
        .is_none()
        .then_some((minutes * 60.0 + seconds) * 1_000.0)
}

fn digits(text: &str, count: usize) -> Option<i64> {
    let fits = text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

fn length(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01. Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn dates_are_read_and_nothing_else() {
        for (text, ms) in [
            ("1970", Some(0.0)),
            ("1970-01-02", Some(86_400_000.0)),
            ("2024-02-29", Some(1_709_164_800_000.0)),
            ("2024-02-29T12:34:56.5Z", Some(1_709_210_096_500.0)),
            ("2024-02-29 12:34", Some(1_709_210_040_000.0)),
            ("1969-12-31", Some(-86_400_000.0)),
            ("2023-02-29", None),
            ("2024-13-01", None),
            ("2024-W07", None),
            ("2024-02-29 24:00", None),
            ("", None),
            ("text", None),
        ] {
            assert_eq!(milliseconds(text.as_bytes()), ms, "{text}");
        }
    }
}
