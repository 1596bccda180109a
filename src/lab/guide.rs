//! The guide of a lab for students, task by task.

/// The text of a lab, in parts; each is Markdown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LabGuide {
    /// The text before the first task, without the title.
    pub introduction: String,
    /// The text below the heading of each task, in order.
    pub tasks: Vec<String>,
}

/// The beginning of the heading of a task.
const HEADING: &str = "## Task ";

impl LabGuide {
    /// Reads the text of a lab.
    pub fn read(text: &str) -> Self {
        let mut guide = Self::default();
        let mut lines = text.lines();
        // The title is known from the lab's script.
        lines.next();
        for line in lines {
            if line.starts_with(HEADING) {
                guide.tasks.push(String::new());
                continue;
            }
            let part = guide.tasks.last_mut();
            let part = part.unwrap_or(&mut guide.introduction);
            *part += line;
            *part += "\n";
        }
        let parts = guide.tasks.iter_mut().chain([&mut guide.introduction]);
        for part in parts {
            *part = part.trim().to_string();
        }
        guide
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_is_an_introduction_and_tasks() {
        let text = "# A lab\n\nRead this.\n\n## Task 1: One (5 minutes)\n\nDo `a`.\n\nThen b.\n## Task 2, to stretch: Two (3 minutes)\n\n    P = a -> P\n";
        let guide = LabGuide::read(text);
        assert_eq!(guide.introduction, "Read this.");
        assert_eq!(guide.tasks, ["Do `a`.\n\nThen b.", "P = a -> P"]);
    }
}
