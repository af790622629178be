"""Owners are those that GitHub or GitLab would ask; the cases are of their documentation."""

import pytest

from mu.reports.codeowners import Dialect, dialect_of, read_owners

GITHUB = """
# the example of GitHub's page
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
!/apps/mine @me
a[bc].py @me
"""

GITLAB = """
* @all
*.md @writers
/docs/ @docs
config/x.rb @ruby
path\\ with/spaces.py @spaces
[Database] @dba
model/db/
*.sql @sql @dba
!old.sql
^[Optional][2] @opt
README.md
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("a.py", "@global-owner1 @global-owner2"),
        ("lib/a.js", "@js-owner"),
        ("build/logs/a/b.c", "@octocat"),
        ("build/logs.c", "@global-owner1 @global-owner2"),
        ("lib/docs/x.c", "@global-owner1 @global-owner2"),
        ("docs/x.c", "@doctocat"),
        ("docs/deep/x.c", "@doctocat"),
        ("lib/apps/x.c", "@octocat"),
        ("deeply/nested/logs/x.c", "@octocat"),
        ("apps/x.c", "@octocat"),
        ("apps/github/x.c", ""),
        ("apps/github", ""),
        ("scripts/x.txt", "@doctocat @octocat"),
        ("ab.py", "@global-owner1 @global-owner2"),
    ],
)
def test_github_takes_the_last_pattern_that_matches(path: str, owners: str) -> None:
    read = read_owners(GITHUB, Dialect.GITHUB)

    assert " ".join(read.of(path)) == owners
    assert read.skipped == (15, 16)


def test_a_star_behind_a_folder_does_not_reach_below_it_on_github() -> None:
    read = read_owners("docs/* @docs", Dialect.GITHUB)

    assert (read.of("docs/a.md"), read.of("docs/b/a.md")) == (("@docs",), ())


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("a.py", "@all"),
        ("lib/docs/a.md", "@writers"),
        ("docs/a.py", "@docs"),
        ("lib/config/x.rb", "@ruby"),
        ("path with/spaces.py", "@spaces"),
        ("lib/model/db/a.py", "@all @dba"),
        ("a.sql", "@all @sql @dba"),
        ("lib/old.sql", "@all"),
        ("lib/README.md", "@writers @opt"),
    ],
)
def test_each_section_of_gitlab_adds_its_owners(path: str, owners: str) -> None:
    assert " ".join(read_owners(GITLAB, Dialect.GITLAB).of(path)) == owners


def test_the_dialect_is_that_of_the_place_or_of_what_is_written() -> None:
    assert dialect_of(".github/CODEOWNERS", GITLAB, has_gitlab=True) is Dialect.GITHUB
    assert dialect_of("CODEOWNERS", "* @a", has_gitlab=False) is Dialect.GITHUB
    assert dialect_of("CODEOWNERS", "* @a", has_gitlab=True) is Dialect.GITLAB
    assert dialect_of("CODEOWNERS", GITLAB, has_gitlab=False) is Dialect.GITLAB
    assert dialect_of("/x/.gitlab/CODEOWNERS", "", has_gitlab=False) is Dialect.GITLAB
