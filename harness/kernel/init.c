/* SPDX-License-Identifier: MIT */
/*
 * The guest's only program: loads the module with the arguments that follow
 * "--" on the kernel's command line, unloads it, powers off.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char *what, int err)
{
	printf("# init: %s: %s\n", what, err ? strerror(err) : "ok");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	char params[1000] = "";
	int fd;

	for (int i = 1; i < argc; i++) {
		strncat(params, argv[i], sizeof(params) - strlen(params) - 1);
		strncat(params, " ", sizeof(params) - strlen(params) - 1);
	}
	if (mount("proc", "/proc", "proc", 0, NULL))
		say("mount /proc", errno);
	fd = open("/harness.ko", O_RDONLY);
	say("insmod", fd < 0 || syscall(SYS_finit_module, fd, params, 0) ? errno : 0);
	say("rmmod", syscall(SYS_delete_module, "harness", 0) ? errno : 0);
	reboot(RB_POWER_OFF);
	return 1;
}
